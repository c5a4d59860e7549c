import { DatabaseError } from 'pg';

/** SQLSTATE class 53 without too_many_connections: the server has no disk or memory left for what it was asked to do. */
const SHORTAGES: ReadonlySet<string | undefined> = new Set(['53000', '53100', '53200', '53400']);
/** A shortage has ended when for so long nothing has failed for it. */
const MEMORY_MS = 60_000;

/** Since when the server has been short of disk or memory, as operations that failed for it tell. */
export class Shortage {
  private firstAt = 0;
  private lastAt = -Infinity;

  constructor(private readonly now: () => number = Date.now) {}

  note(error: unknown): void {
    if (error instanceof DatabaseError && SHORTAGES.has(error.code)) {
      this.firstAt = this.since()?.getTime() ?? this.now();
      this.lastAt = this.now();
    }
  }

  since(): Date | undefined {
    return this.now() - this.lastAt < MEMORY_MS ? new Date(this.firstAt) : undefined;
  }
}
