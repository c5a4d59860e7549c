import { Injectable } from '@nestjs/common';
import { Store, type LogQuery, type SealedRecord } from '@palisade/domain';
import type { AdminPrincipal } from '@palisade/guards';
import { currentRequest } from '../http/request-context.js';
import { FairTurns } from '../http/fair-turns.js';
import { LogFollower } from './log-follower.js';

const FOLLOW_MS = 20_000;
const RECORDS_AT_A_TIME = 200;

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
    const records = await this.read({ ...query, namespaces });
    const last = records.at(-1)?.position ?? 0;
    return { records, through: Math.max(query.after ?? 0, last, records.length < query.limit ? end : 0) };
  }

  /** In pieces, each in turn: what a thousand records take at once, nobody else has. */
  private async read(query: LogQuery): Promise<SealedRecord[]> {
    const records: SealedRecord[] = [];
    for (let next = query; ;) {
      const limit = Math.min(RECORDS_AT_A_TIME, query.limit - records.length);
      const piece = await this.turns.runForCaller(() => this.store.log.list({ ...next, limit }));
      records.push(...piece);
      const last = piece.at(-1)?.position;
      if (last === undefined || piece.length < limit || records.length === query.limit) {
        return records;
      }
      next = query.order === 'desc' ? { ...query, before: last } : { ...query, after: last };
    }
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
