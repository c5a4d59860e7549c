import { Injectable } from '@nestjs/common';
import { Store, type LogQuery, type SealedRecord } from '@palisade/domain';
import type { AdminPrincipal } from '@palisade/guards';
import { currentRequest } from '../http/request-context.js';
import { FairTurns } from '../http/fair-turns.js';
import { LogFollower } from './log-follower.js';

const FOLLOW_MS = 20_000;

export interface LogSlice {
  readonly records: readonly SealedRecord[];
  /** Reading forward: everything up to here was looked at. */
  readonly through: number;
}

/** Reads the log; admins of some namespaces see what concerns those, and nothing else. */
@Injectable()
export class LogService {
  constructor(
    private readonly store: Store,
    private readonly follower: LogFollower,
    private readonly turns: FairTurns,
  ) {}

  async list(admin: AdminPrincipal, query: LogQuery): Promise<LogSlice> {
    const namespaces = admin.namespaces === '*' ? undefined : admin.namespaces;
    const { head } = await this.store.log.ends();
    const end = Math.min(head.position, (query.before ?? Infinity) - 1);
    const records = await this.turns.runForCaller(() => this.store.log.list({ ...query, namespaces }));
    const last = records.at(-1)?.position ?? 0;
    return { records, through: Math.max(query.after ?? 0, last, records.length < query.limit ? end : 0) };
  }

  /** As soon as there is something to read, or after 20 seconds, or when the signal aborts. */
  async follow(admin: AdminPrincipal, query: LogQuery, signal: AbortSignal): Promise<LogSlice> {
    currentRequest()?.startWaiting();
    const endAtMs = performance.now() + FOLLOW_MS;
    for (let after = query.after ?? 0; ;) {
      const slice = await this.list(admin, { ...query, after });
      const leftMs = endAtMs - performance.now();
      if (slice.records.length > 0 || leftMs <= 0 || signal.aborted) {
        return slice;
      }
      after = slice.through;
      if (!(await this.follower.waitBeyond(admin.actor, after, leftMs, signal))) {
        return slice;
      }
    }
  }
}
