import { ApiError, UnreachableError, dataOf, type ControlPlaneClient } from '@palisade/client';

/** Where the proxies of a pool are; undefined when there is no such pool, or nobody can say now. */
export async function findProxies(control: ControlPlaneClient, name: string): Promise<readonly string[] | undefined> {
  try {
    const pool = dataOf(await control.GET('/api/v1/pools/{name}', { params: { path: { name } } }));
    return pool.proxies.map(({ host, port }) => `${host}:${port}`);
  } catch (error) {
    const isMissing = error instanceof ApiError && error.code === 'POOL_NOT_FOUND';
    if (isMissing || error instanceof UnreachableError) {
      return undefined;
    }
    throw error;
  }
}
