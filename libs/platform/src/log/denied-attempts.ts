import { isIPv6 } from 'node:net';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { SerialQueue } from '@palisade/async';
import { Store, type LogRecord } from '@palisade/domain';
import {
  DenialListener,
  UnauthenticatedError,
  routeOf,
  type AuthenticatedRequest,
  type ForbiddenError,
  type RejectionReason,
} from '@palisade/guards';
import { currentRequest } from '../http/request-context.js';

const MAX_UNWRITTEN = 1000;
const FLUSH_INTERVAL_MS = 1000;
const WINDOW_MS = 60_000;
/** Different attempts of one caller that are recorded each, in a minute. */
const MAX_KINDS = 30;
/** Callers that are kept apart, in a minute. */
const MAX_CALLERS = 1000;
const ANONYMOUS = 'anonymous';

/** Something that somebody was not allowed to do. */
export type DeniedAttempt = Pick<
  LogRecord,
  'userId' | 'action' | 'resource' | 'provider' | 'tenantId' | 'namespace' | 'detail'
>;

interface Kind {
  readonly first: LogRecord;
  isTaken: boolean;
  repeats: number;
}

/** Whoever attempts something: a credential, or an address as long as there is none. */
interface Caller {
  readonly name: string;
  readonly since: number;
  readonly kinds: Map<string, Kind>;
  /** Attempts beyond {@link MAX_KINDS}. */
  more: number;
}

interface Taken {
  readonly caller: string;
  readonly record: LogRecord;
}

/**
 * Keeps a flood of attempts from flooding the log. Of each caller, within a minute: the first thirty different attempts are
 * recorded at once, how often each was repeated when the minute is over, and all others as one number. So what a caller
 * chooses (namespaces, ids, paths) decides about nobody else's records. Callers with a credential and addresses without one
 * have room of their own, for a thousand each; those beyond are counted together.
 */
class AttemptWindows {
  private readonly callers = new Map<string, Caller>();
  private others = 0;

  /** @param summary what the records of many attempts have in common */
  constructor(private readonly summary: Pick<LogRecord, 'userId' | 'action'>) {}

  add(name: string, attempt: LogRecord, at: Date): void {
    const caller = this.callers.get(name) ?? this.admit(name, at);
    if (caller === undefined) {
      this.others += 1;
      return;
    }
    const { action, resource, detail } = attempt;
    const key = JSON.stringify([action, resource, detail]);
    const known = caller.kinds.get(key);
    if (known !== undefined) {
      known.repeats += 1;
    } else if (caller.kinds.size < MAX_KINDS) {
      caller.kinds.set(key, { first: attempt, isTaken: false, repeats: 0 });
    } else {
      caller.more += 1;
    }
  }

  /** What has become due since the last call. */
  take(at: Date, isOver = (since: number) => at.getTime() - since >= WINDOW_MS): Taken[] {
    const taken: Taken[] = [];
    for (const caller of this.callers.values()) {
      const { name, since } = caller;
      const records = [...newKindsOf(caller), ...(isOver(since) ? summariesOf(caller, at) : [])];
      taken.push(...records.map((record) => ({ caller: name, record })));
      if (isOver(since)) {
        this.callers.delete(name);
      }
    }
    if (this.others > 0 && this.callers.size < MAX_CALLERS) {
      const detail = { reason: 'attempts of too many callers to record each', repeats: this.others };
      const record = { ...this.summary, timestamp: at, resource: 'various', result: 'denied' as const, detail };
      taken.push({ caller: '', record });
      this.others = 0;
    }
    return taken;
  }

  private admit(name: string, at: Date): Caller | undefined {
    if (this.callers.size >= MAX_CALLERS) {
      return undefined;
    }
    const caller = { name, since: at.getTime(), kinds: new Map<string, Kind>(), more: 0 };
    this.callers.set(name, caller);
    return caller;
  }
}

/** Writes denied attempts to the log without making anybody wait: in batches, within a second. */
@Injectable()
export class DeniedAttempts extends DenialListener implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(DeniedAttempts.name);
  private readonly known = new AttemptWindows({ userId: 'various', action: 'authorization' });
  private readonly unknown = new AttemptWindows({ userId: ANONYMOUS, action: 'authentication' });
  private readonly writes = new SerialQueue();
  private unwritten: readonly Taken[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly store: Store) {
    super();
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write((windows, at) => windows.take(at, () => true));
  }

  override denied(error: UnauthenticatedError | ForbiddenError, request: AuthenticatedRequest): void {
    const resource = `${request.method} ${routeOf(request)}`;
    const remoteAddress = request.ip ?? 'unknown';
    const { principal } = request;
    if (error instanceof UnauthenticatedError || principal === undefined) {
      const reason = error instanceof UnauthenticatedError ? error.reason : error.message;
      this.recordUnauthenticated(resource, reason, remoteAddress);
      return;
    }
    const detail = { reason: error.message, remote_address: remoteAddress };
    const provider = 'provider' in principal && { provider: principal.provider };
    this.record({ userId: principal.actor, action: 'authorization', resource, ...provider, detail });
  }

  /** @param resource a route: what an unknown caller chooses must not tell their attempts apart */
  recordUnauthenticated(resource: string, reason: RejectionReason | string, remoteAddress: string): void {
    const detail = { reason, remote_address: remoteAddress };
    const attempt = { userId: ANONYMOUS, action: 'authentication', resource, detail };
    this.add(this.unknown, networkOf(remoteAddress), attempt);
  }

  /** An attempt of somebody who is authenticated. */
  record(attempt: DeniedAttempt): void {
    this.add(this.known, attempt.userId, attempt);
  }

  /** Writes what is due. Never fails: what could not be written is tried again; the latest 1,000 are kept. */
  flush(): Promise<void> {
    return this.write((windows, at) => windows.take(at));
  }

  private add(windows: AttemptWindows, caller: string, attempt: DeniedAttempt): void {
    const at = new Date();
    const requestId = currentRequest()?.requestId;
    const request = requestId !== undefined && { requestId };
    windows.add(caller, { timestamp: at, ...attempt, result: 'denied', ...request }, at);
  }

  private write(take: (windows: AttemptWindows, at: Date) => Taken[]): Promise<void> {
    const at = new Date();
    const due = [this.known, this.unknown].flatMap((windows) => take(windows, at));
    this.unwritten = this.unwritten.length === 0 ? due : latestOf([...this.unwritten, ...due]);
    return this.writes.run(() => this.writeUnwritten());
  }

  private async writeUnwritten(): Promise<void> {
    const batch = this.unwritten;
    if (batch.length === 0) {
      return;
    }
    this.unwritten = [];
    try {
      await this.store.log.append(batch.map(({ record }) => record));
    } catch (error) {
      this.unwritten = latestOf([...batch, ...this.unwritten]);
      this.logger.warn(`${batch.length} denied attempts could not be written to the log yet`, error);
    }
  }
}

function newKindsOf({ kinds }: Caller): LogRecord[] {
  const found = [...kinds.values()].filter(({ isTaken }) => !isTaken);
  return found.map((kind) => {
    kind.isTaken = true;
    return kind.first;
  });
}

function summariesOf({ kinds, more }: Caller, at: Date): LogRecord[] {
  const repeated = [...kinds.values()]
    .filter(({ repeats }) => repeats > 0)
    .map(({ first: { requestId: _requestId, ...first }, repeats }) => ({
      ...first,
      timestamp: at,
      detail: { ...first.detail, repeats },
    }));
  const [some] = kinds.values();
  return some === undefined || more === 0 ? repeated : [...repeated, sumOf(some.first, more, at)];
}

/** Keeps only what the caller did not choose from the caller's record. */
function sumOf({ userId, provider, detail }: LogRecord, repeats: number, at: Date): LogRecord {
  const isAnonymous = userId === ANONYMOUS;
  const address = isAnonymous && { remote_address: detail?.['remote_address'] ?? null };
  return {
    timestamp: at,
    userId,
    ...(provider !== undefined && { provider }),
    action: isAnonymous ? 'authentication' : 'authorization',
    resource: 'various',
    result: 'denied',
    detail: { reason: 'too many different attempts to record each', ...address, repeats },
  };
}

/** The latest records, at most 1,000 of them, shared fairly: whoever has most gives up the oldest. */
function latestOf(taken: readonly Taken[]): readonly Taken[] {
  if (taken.length <= MAX_UNWRITTEN) {
    return taken;
  }
  const callers = [...Map.groupBy(taken, ({ caller }) => caller).values()].toReversed();
  const kept = new Set<Taken>();
  for (const [index, records] of callers.toSorted((a, b) => weightOf(a) - weightOf(b)).entries()) {
    const share = Math.ceil((MAX_UNWRITTEN - kept.size) / (callers.length - index));
    records.slice(Math.max(0, records.length - share)).forEach((record) => kept.add(record));
  }
  return taken.filter((record) => kept.has(record));
}

/** More records weigh more; of as many, those of an address. */
function weightOf(taken: readonly Taken[]): number {
  return 2 * taken.length + (taken[0]?.record.userId === ANONYMOUS ? 1 : 0);
}

/** An address, but of IPv6 the network of 64 bits: one host chooses the rest as it likes. */
function networkOf(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare) || bare.includes('.')) {
    return address;
  }
  const [left = [], right = []] = bare.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
