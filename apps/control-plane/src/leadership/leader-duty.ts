import type { HeldLease } from '@palisade/domain';

/** The time from an election until leadership is lost or given up. */
export interface LeaderTerm {
  /** Aborts when the term ends: what is under way must stop, and write nothing any more. */
  readonly signal: AbortSignal;

  /**
   * What proves the leadership now; pass it with each write.
   *
   * @throws {LeaseLostError} when the term is over
   */
  lease(): HeldLease;

  /**
   * Whether nobody else can lead yet. When leadership is given up that goes on for a while after the term: time to finish
   * what must not be left half done.
   */
  isHeld(): boolean;
}

/** Something that only one replica may do at a time. Assign it to {@link Leadership}. */
export abstract class LeaderDuty {
  /** For logs and metrics. */
  abstract readonly name: string;

  /**
   * Does it until the term ends, and resolves when everything that it began has ended. When it rejects within the term it
   * is called again after a pause.
   */
  abstract run(term: LeaderTerm): Promise<void>;
}
