import { asFields, asList, asText, type Fields } from './objects.js';
import type { KubernetesApi } from './kubernetes-api.js';
import { KubernetesError } from './kubernetes.errors.js';

const PAGE_SIZE = 250;
const MAX_OBJECTS = 100_000;
/** Pages need not be full. */
const MAX_PAGES = 10_000;

export interface ObjectList {
  /** The state that the list shows: a watch goes on from here. */
  readonly version: string;
  readonly objects: readonly Fields[];
}

/**
 * All objects, as they are at one moment. What fails or is not a list does not count as an empty one.
 *
 * @throws {KubernetesError}
 */
export async function listObjects(
  api: KubernetesApi,
  path: string,
  labelSelector: string | undefined,
  signal: AbortSignal,
): Promise<ObjectList> {
  const objects: Fields[] = [];
  let position: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = { limit: String(PAGE_SIZE), labelSelector, continue: position };
    const page = await api.request({ method: 'GET', path, query }, signal);
    const metadata = asFields(page['metadata']) ?? {};
    const version = asText(metadata['resourceVersion']);
    const items = page['items'];
    if (!version || !Array.isArray(items) || !asText(page['kind'])?.endsWith('List')) {
      throw new KubernetesError(`GET ${path}: the answer is no list`);
    }
    objects.push(...asList(items).map((item) => asFields(item) ?? {}));
    if (objects.length > MAX_OBJECTS) {
      throw new KubernetesError(`GET ${path}: expected ${MAX_OBJECTS} objects at most, found more`);
    }
    position = asText(metadata['continue']) || undefined;
    if (position === undefined) {
      return { version, objects };
    }
  }
  throw new KubernetesError(`GET ${path}: expected ${MAX_PAGES} pages at most, found more`);
}
