import { Logger } from '@nestjs/common';
import { Backoff, pause } from '@palisade/async';
import { asText, asFields, type Fields, readMetadata, type ObjectMetadata } from './objects.js';
import type { KubernetesApi, WatchEvent } from './kubernetes-api.js';
import { KubernetesError } from './kubernetes.errors.js';
import { listObjects } from './list-objects.js';
import { WatchHealth } from './watch-health.js';

export interface WatchedResource<T> {
  /** For logs and metrics: `tenants`, `pods`. */
  readonly label: string;
  readonly path: string;
  readonly labelSelector?: string;
  /** Extracts the fields of an object that are needed; it must not throw. */
  readonly read: (metadata: ObjectMetadata, object: Fields) => T;
}

export interface WatchListener {
  /** All objects were read. */
  listed(): void;
  /** The object has changed, or is gone. */
  changed(name: string): void;
}

export interface WatchTiming {
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** Length of one watch, give or take a random eighth; the next one continues where it ends. */
  readonly watchMs: number;
  /** A watch that has not ended this much later is given up. */
  readonly graceMs: number;
  /** All objects are read again at this interval, even if nothing has failed. */
  readonly relistIntervalMs: number;
  /** An empty list is requested again after this time. */
  readonly confirmPauseMs: number;
}

export interface ResourceWatchOptions {
  readonly timing?: Partial<WatchTiming>;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
  readonly random?: () => number;
}

const TIMING: WatchTiming = {
  retryMinMs: 500,
  retryMaxMs: 10_000,
  watchMs: 30_000,
  graceMs: 10_000,
  relistIntervalMs: 600_000,
  confirmPauseMs: 2000,
};

/** A watch that has lasted for this share of its time counts as a success. */
const LASTING_SHARE = 0.2;

/**
 * Keeps the objects of one kind up to date: reads all of them, then follows their changes, and starts again whatever ends
 * that. The known objects stay while the API server is unreachable. An unexpected empty list is believed when it comes twice.
 */
export class ResourceWatch<T> {
  readonly health: WatchHealth;
  private readonly logger = new Logger(ResourceWatch.name);
  private readonly timing: WatchTiming;
  /** One for requests that fail, one for watches that open but do not last. */
  private readonly backoff: { readonly requests: Backoff; readonly watches: Backoff };
  private readonly random: () => number;
  private readonly found = new Map<string, T>();
  /** When the current watch was accepted. */
  private openedAt: number | undefined;
  /** Absent: all objects have to be read again. */
  private version: string | undefined;
  private hasListed = false;
  private listedAt = 0;
  private unreadableObjects = 0;

  constructor(
    private readonly api: KubernetesApi,
    private readonly resource: WatchedResource<T>,
    private readonly listener: WatchListener,
    { timing, now = Date.now, random = Math.random }: ResourceWatchOptions = {},
  ) {
    this.timing = { ...TIMING, ...timing };
    this.random = random;
    const limits = { minMs: this.timing.retryMinMs, maxMs: this.timing.retryMaxMs, random };
    this.backoff = { requests: new Backoff(limits), watches: new Backoff(limits) };
    this.health = new WatchHealth(now);
  }

  get label(): string {
    return this.resource.label;
  }

  /** By name. Meaningless unless {@link isComplete}. */
  get objects(): ReadonlyMap<string, T> {
    return this.found;
  }

  /** Whether all objects were read since the start; false while the watch does not run. */
  get isComplete(): boolean {
    return this.hasListed;
  }

  /** The number of objects in the last list without a name, uid or version; they are left out. */
  get unreadable(): number {
    return this.unreadableObjects;
  }

  /** Follows the objects until the signal aborts, through any outage of the API server. Call it once at a time. */
  async run(signal: AbortSignal): Promise<void> {
    this.version = undefined;
    this.backoff.requests.reset();
    this.backoff.watches.reset();
    this.health.started();
    try {
      while (!signal.aborted) {
        await this.runOnce(signal);
      }
    } finally {
      this.hasListed = false;
      this.found.clear();
      this.health.stopped();
    }
  }

  private async runOnce(signal: AbortSignal): Promise<void> {
    try {
      this.version ??= await this.list(signal);
      await this.follow(this.version, signal);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (!(error instanceof KubernetesError)) {
        throw error;
      }
      if (error.hasLostTrack) {
        this.version = undefined;
      }
      this.noteFailure(error);
      const isOfWatch = this.openedAt !== undefined || error.hasLostTrack;
      this.noteEnd();
      await pause(this.backoff[isOfWatch ? 'watches' : 'requests'].next(error.retryAfterMs), signal);
    }
  }

  private async list(signal: AbortSignal): Promise<string> {
    const { path, labelSelector } = this.resource;
    let list = await listObjects(this.api, path, labelSelector, signal);
    if (list.objects.length === 0 && (!this.hasListed || this.found.size > 0)) {
      await pause(this.timing.confirmPauseMs, signal);
      list = await listObjects(this.api, path, labelSelector, signal);
    }
    this.found.clear();
    this.unreadableObjects = 0;
    for (const object of list.objects) {
      const metadata = readMetadata(object);
      if (metadata === undefined) {
        this.unreadableObjects++;
      } else {
        this.found.set(metadata.name, this.resource.read(metadata, object));
      }
    }
    this.hasListed = true;
    this.listedAt = performance.now();
    this.noteSuccess();
    this.listener.listed();
    return list.version;
  }

  /** One watch. The next one continues where it ends, unless it is time to read all objects again. */
  private async follow(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const { path, labelSelector } = this.resource;
    const { watchMs, graceMs, relistIntervalMs } = this.timing;
    const lengthSeconds = Math.max(1, Math.round((watchMs * (0.875 + this.random() / 4)) / 1000));
    const query = { resourceVersion, labelSelector, allowWatchBookmarks: 'true' };
    const onOpen = (): void => {
      this.openedAt = performance.now();
      this.noteSuccess();
    };
    for await (const event of this.api.watch({ path, query, lengthSeconds, graceMs, onOpen }, signal)) {
      this.take(event);
      this.noteSuccess();
      this.backoff.watches.reset();
    }
    this.noteSuccess();
    if (performance.now() - this.listedAt >= relistIntervalMs) {
      this.version = undefined;
    }
    if (!this.noteEnd()) {
      // Do not ask a server all the time that ends watches too early.
      await pause(this.backoff.watches.next(), signal);
    }
  }

  private take({ type, object }: WatchEvent): void {
    const version = asText(asFields(object['metadata'])?.['resourceVersion']);
    const metadata = type === 'BOOKMARK' ? undefined : readMetadata(object);
    if (!version || (type !== 'BOOKMARK' && metadata === undefined)) {
      const problem = `GET ${this.resource.path}: an event of the type ${type} has no usable object`;
      throw new KubernetesError(problem, { hasLostTrack: true });
    }
    this.version = version;
    if (metadata === undefined) {
      return;
    }
    if (type === 'DELETED') {
      this.found.delete(metadata.name);
    } else {
      this.found.set(metadata.name, this.resource.read(metadata, object));
    }
    this.listener.changed(metadata.name);
  }

  private noteSuccess(): void {
    if (this.health.snapshot.state === 'failing') {
      this.logger.log(`${this.resource.label} are followed again`);
    }
    this.health.succeeded();
    this.backoff.requests.reset();
  }

  /** An expired version and a lost connection are normal and repaired at once, so they are no failures yet. */
  private noteFailure(failure: KubernetesError): void {
    const { message, isExpired, status, hasLostTrack } = failure;
    const { state, error } = this.health.snapshot;
    const isCut = this.openedAt !== undefined && status === undefined && !hasLostTrack;
    this.health.interrupted();
    if ((isExpired || isCut) && state !== 'failing') {
      return;
    }
    if (error !== message) {
      this.logger.warn(`${this.resource.label} cannot be followed: ${message}`);
    }
    this.health.failed(message);
  }

  /** Whether the watch that has ended lasted long enough. */
  private noteEnd(): boolean {
    const lastedMs = this.openedAt === undefined ? 0 : performance.now() - this.openedAt;
    this.openedAt = undefined;
    const hasLasted = lastedMs >= this.timing.watchMs * LASTING_SHARE;
    if (hasLasted) {
      this.backoff.watches.reset();
    }
    return hasLasted;
  }
}
