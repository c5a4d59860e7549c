import type { ServerResponse } from 'node:http';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { pause } from '@palisade/async';
import { POLICY_EVENTS, Store, StoreUnavailableError, type Proxy, type ProxyId } from '@palisade/domain';
import { UnauthenticatedError, type AdminPrincipal, type ProxyPrincipal } from '@palisade/guards';
import { ProxiesService } from '../proxies/proxies.service.js';
import { AccessWatch } from '../proxy-access/access-watch.js';
import { Registry } from '../routing/table/registry.js';
import { encodeEvent, Policies, type PolicyPosition } from './policies.js';
import { PolicyStream } from './policy-stream.js';
import { TooManyStreamsError } from './policy.errors.js';

export interface OpenPolicyStream {
  readonly caller: AdminPrincipal | ProxyPrincipal;
  readonly proxy: ProxyId;
  /** What an earlier stream has sent. */
  readonly sent: PolicyPosition | undefined;
  readonly response: ServerResponse;
  readonly authenticate: () => Promise<unknown>;
}

/** Each has a connection and a timer. Twice as many as there may be proxies. */
const MAX_STREAMS = 2000;
/** One that a proxy has given up without this end noticing, and one that it has. */
const MAX_PER_PROXY = 2;
const CHECK_INTERVAL_MS = 1000;
/** Credentials are checked in every so many checks. */
const CHECKS_PER_CREDENTIAL = 5;

/** The policy streams of this replica. */
@Injectable()
export class PolicyStreams implements OnModuleDestroy {
  private readonly logger = new Logger(PolicyStreams.name);
  private readonly streams = new Map<ProxyId, PolicyStream[]>();
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private checking: Promise<void> | undefined;

  constructor(
    private readonly policies: Policies,
    private readonly proxies: ProxiesService,
    private readonly registry: Registry,
    private readonly store: Store,
    private readonly access: AccessWatch,
  ) {
    policies.onChange(() => this.all().forEach((stream) => stream.wake()));
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    this.all().forEach((stream) => stream.end());
    await Promise.all([...this.running, this.checking]);
  }

  /** How many streams are open. */
  get size(): number {
    return this.all().length;
  }

  /**
   * Sends the policy of the proxy's pool, and its changes, until the stream ends.
   *
   * @throws {ProxyNotFoundError} also for a proxy that is not the caller's
   * @throws {TooManyStreamsError} {@link StoreUnavailableError}
   */
  async open({ caller, proxy: id, sent, response, authenticate }: OpenPolicyStream): Promise<void> {
    const { pool } = await this.proxies.getOwn(caller, id);
    await this.registry.current();
    if (this.size >= MAX_STREAMS || this.stopping.signal.aborted) {
      throw new TooManyStreamsError(MAX_STREAMS);
    }
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    const stream = new PolicyStream({ proxy: id, pool, sent, response, authenticate }, this.policies);
    using _ = this.access.subscribe((change) => stream.send(encodeEvent(POLICY_EVENTS.access, JSON.stringify(change))));
    const others = this.streams.get(id) ?? [];
    others.slice(0, others.length + 1 - MAX_PER_PROXY).forEach((oldest) => oldest.end());
    this.streams.set(id, [...others.filter(({ isEnded }) => !isEnded), stream]);
    this.checking ??= this.check();
    const run = this.run(stream);
    this.running.add(run);
    await run.finally(() => this.running.delete(run));
  }

  private all(): PolicyStream[] {
    return [...this.streams.values()].flat();
  }

  private async run(stream: PolicyStream): Promise<void> {
    try {
      await stream.run();
    } catch (error) {
      this.logger.error(`the policy stream of "${stream.options.proxy}" failed`, error);
    } finally {
      stream.end();
      this.forget(stream);
    }
  }

  private forget(stream: PolicyStream): void {
    const { proxy } = stream.options;
    const left = this.streams.get(proxy)?.filter((each) => each !== stream) ?? [];
    if (left.length === 0) {
      this.streams.delete(proxy);
    } else {
      this.streams.set(proxy, left);
    }
  }

  /** Ends streams of proxies that were removed or moved, and of credentials that are no longer valid. */
  private async check(): Promise<void> {
    for (let round = 1; this.streams.size > 0; round += 1) {
      await pause(CHECK_INTERVAL_MS, this.stopping.signal);
      if (this.stopping.signal.aborted) {
        return;
      }
      try {
        const proxies = new Map((await this.store.proxies.list()).map((proxy) => [proxy.id, proxy]));
        const invalid = this.all().filter(({ options }) => !isStillOf(options, proxies.get(options.proxy)));
        invalid.forEach((stream) => stream.end());
        if (round % CHECKS_PER_CREDENTIAL === 0) {
          await Promise.all(this.all().map((stream) => this.checkCredential(stream)));
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) {
          this.logger.error('the policy streams cannot be checked', error);
        }
      }
    }
    this.checking = undefined;
  }

  private async checkCredential(stream: PolicyStream): Promise<void> {
    try {
      await stream.options.authenticate();
    } catch (error) {
      // When the keys of the issuer cannot be loaded, nothing has been revoked.
      if (error instanceof UnauthenticatedError) {
        stream.end();
      }
    }
  }
}

function isStillOf({ pool }: PolicyStream['options'], proxy: Proxy | undefined): boolean {
  return proxy?.pool === pool;
}
