import { asFields, asList, asText, type Fields } from './objects.js';
import type { KubernetesApi } from './kubernetes-api.js';
import { KubernetesError } from './kubernetes.errors.js';

const PAGE_SIZE = 250;
const MAX_OBJECTS = 100_000;
/** Pages need not be full. */
const MAX_PAGES = 10_000;

export interface ObjectList {
  /** The version that the list shows: a watch continues from here. */
  readonly version: string;
  readonly objects: readonly Fields[];
}

/**
 * All objects at one moment. A failure, or an answer that is not a list, does not count as an empty list.
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
      throw new KubernetesError(`GET ${path}: the answer is not a list`);
    }
    objects.push(...asList(items).map((item) => asFields(item) ?? {}));
    if (objects.length > MAX_OBJECTS) {
      throw new KubernetesError(`GET ${path}: expected at most ${MAX_OBJECTS} objects, found more`);
    }
    position = asText(metadata['continue']) || undefined;
    if (position === undefined) {
      return { version, objects };
    }
  }
  throw new KubernetesError(`GET ${path}: expected at most ${MAX_PAGES} pages, found more`);
}
