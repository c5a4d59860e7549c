import { randomUUID } from 'node:crypto';
import { mergePatch, type Json } from './merge-patch.js';

export interface StoredObject extends Json {
  readonly metadata: Json & { readonly name: string; readonly resourceVersion: string };
}

export interface StoredEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly version: number;
  readonly object: StoredObject;
  /** As it was before, for those who select by labels. */
  readonly before?: StoredObject;
}

/** What a request is rejected with. */
export class Rejection extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

const FIRST_VERSION = 100;

/** Objects of all kinds as etcd has them: one counter for all versions, and a history that watches go on from. */
export class ObjectStore {
  private version = FIRST_VERSION;
  private readonly collections = new Map<string, Map<string, StoredObject>>();
  private readonly history: (StoredEvent & { readonly collection: string })[] = [];
  private readonly listeners = new Set<() => void>();

  get currentVersion(): number {
    return this.version;
  }

  onEvent(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  list(collection: string): StoredObject[] {
    return [...(this.collections.get(collection) ?? new Map<string, StoredObject>()).values()].sort((a, b) =>
      a.metadata.name < b.metadata.name ? -1 : 1,
    );
  }

  find(collection: string, name: string): StoredObject | undefined {
    return this.collections.get(collection)?.get(name);
  }

  get(collection: string, name: string): StoredObject {
    const object = this.find(collection, name);
    if (object === undefined) {
      throw new Rejection(404, 'NotFound', `"${name}" not found`);
    }
    return object;
  }

  /** Undefined when that is so long ago that nobody knows. */
  eventsAfter(collection: string, version: number): StoredEvent[] | undefined {
    return version < FIRST_VERSION
      ? undefined
      : this.history.filter((event) => event.collection === collection && event.version > version);
  }

  /** @param hasStatus its status cannot be set by whoever makes it */
  create(collection: string, body: Json, hasStatus: boolean): StoredObject {
    const { status, metadata, ...rest } = body;
    const { name } = metadata as { readonly name: string };
    if (this.find(collection, name) !== undefined) {
      throw new Rejection(409, 'AlreadyExists', `"${name}" already exists`);
    }
    const added = { uid: randomUUID(), creationTimestamp: now(), generation: 1 };
    const object = { ...rest, ...(!hasStatus && status !== undefined && { status }) };
    return this.put(collection, 'ADDED', { ...object, metadata: { ...(metadata as Json), name, ...added } });
  }

  /**
   * A merge patch. One that changes nothing leaves the version alone.
   *
   * @param part of the object that may change: its status, or all but that
   */
  patch(collection: string, name: string, patch: Json, part: 'status' | 'rest' | 'all'): StoredObject {
    const before = this.get(collection, name);
    const { resourceVersion } = (patch['metadata'] ?? {}) as { readonly resourceVersion?: string };
    if (resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion) {
      throw new Rejection(409, 'Conflict', `the object "${name}" has been modified; please apply your changes again`);
    }
    const merged = mergePatch(before, patch) as StoredObject;
    const { status, ...rest } = part === 'status' ? { ...before, status: merged['status'] } : merged;
    const changed = { ...rest, ...(part === 'rest' ? pick(before, 'status') : pick({ status }, 'status')) };
    const metadata = part === 'status' ? before.metadata : { ...merged.metadata, ...identityOf(before) };
    if (isEqual({ ...changed, metadata }, before)) {
      return before;
    }
    const hasNewSpec = !isEqual(changed['spec' as keyof typeof changed], before['spec']);
    const generation = Number(before.metadata['generation']) + (hasNewSpec ? 1 : 0);
    return this.put(collection, 'MODIFIED', { ...changed, metadata: { ...metadata, generation } });
  }

  /** Marks it as deleted; it is still there. */
  terminate(collection: string, name: string): StoredObject {
    const object = this.get(collection, name);
    return this.put(collection, 'MODIFIED', { ...object, metadata: { ...object.metadata, deletionTimestamp: now() } });
  }

  delete(collection: string, name: string): StoredObject {
    return this.put(collection, 'DELETED', this.get(collection, name));
  }

  private put(collection: string, type: StoredEvent['type'], content: Json): StoredObject {
    this.version++;
    const metadata = { ...(content['metadata'] as StoredObject['metadata']), resourceVersion: String(this.version) };
    const object: StoredObject = structuredClone({ ...content, metadata });
    const objects = this.collections.get(collection) ?? new Map<string, StoredObject>();
    const before = objects.get(metadata.name);
    this.collections.set(collection, objects);
    if (type === 'DELETED') {
      objects.delete(metadata.name);
    } else {
      objects.set(metadata.name, object);
    }
    this.history.push({ collection, type, version: this.version, object, ...(before && { before }) });
    for (const listener of this.listeners) {
      listener();
    }
    return object;
  }
}

function identityOf({ metadata }: StoredObject): Json {
  const { name, uid, creationTimestamp, generation, resourceVersion, deletionTimestamp } = metadata;
  return {
    name,
    uid,
    creationTimestamp,
    generation,
    resourceVersion,
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
  };
}

function pick(object: Json, name: string): Json {
  return object[name] === undefined ? {} : { [name]: object[name] };
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}

function now(): string {
  return new Date().toISOString().replace(/\.\d{3}/, '');
}
