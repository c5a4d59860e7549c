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
  /** What is kept of an object; it must not throw. */
  readonly read: (metadata: ObjectMetadata, object: Fields) => T;
}

export interface WatchListener {
  /** All objects were read anew. */
  listed(): void;
  /** The object is another one now, or is gone. */
  changed(name: string): void;
}

export interface WatchTiming {
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** Length of one watch, of which the next goes on where it has ended; an eighth more or less by chance. */
  readonly watchMs: number;
  /** A watch that does not end in time is given up so much later. */
  readonly graceMs: number;
  /** So often all objects are read anew, even if nothing has failed. */
  readonly relistIntervalMs: number;
  /** How long after an empty list it is asked for again. */
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

/** A watch that has lasted for this share of its time was not in vain. */
const LASTING_SHARE = 0.2;

/**
 * Keeps what there is of one kind of object up to date: reads all of them, then follows their changes, and does so again
 * whatever ends it. What is known stays as it is while the API server is away. An empty list where there were objects, or
 * nobody knows, is believed when it comes twice.
 */
export class ResourceWatch<T> {
  readonly health: WatchHealth;
  private readonly logger = new Logger(ResourceWatch.name);
  private readonly timing: WatchTiming;
  /** For what the API server does not let begin, and for what it lets begin but does not let last. */
  private readonly backoff: { readonly requests: Backoff; readonly watches: Backoff };
  private readonly random: () => number;
  private readonly found = new Map<string, T>();
  /** When the watch under way was accepted. */
  private openedAt: number | undefined;
  /** Absent: all has to be read anew. */
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

  /** By name. Says nothing unless {@link isComplete}. */
  get objects(): ReadonlyMap<string, T> {
    return this.found;
  }

  /** Whether all objects were read since the start; false while nothing is followed. */
  get isComplete(): boolean {
    return this.hasListed;
  }

  /** Objects in the last list without a name, an identity or a version, which are left out. */
  get unreadable(): number {
    return this.unreadableObjects;
  }

  /** Until the signal aborts, however often the API server is away; one at a time. */
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

  /** One watch. Where it ends the next goes on, unless it is time to read all anew. */
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
      // A server that ends watches too early is no reason to ask it all the time.
      await pause(this.backoff.watches.next(), signal);
    }
  }

  private take({ type, object }: WatchEvent): void {
    const version = asText(asFields(object['metadata'])?.['resourceVersion']);
    const metadata = type === 'BOOKMARK' ? undefined : readMetadata(object);
    if (!version || (type !== 'BOOKMARK' && metadata === undefined)) {
      const problem = `GET ${this.resource.path}: an event of the type ${type} is about nothing that can be told`;
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

  /** That a state has expired, or a connection was lost that was there, happens and is put right at once. */
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

  /** Whether the watch that has ended was a lasting one. */
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
