import { type Clock, within } from '@palisade/async';
import type { LogRecord } from '@palisade/domain';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import { type AuditSink, AuditTrail } from './audit-trail.js';
import { AuditUnavailableError } from './audit.errors.js';
import { type Denial, DenialDigest } from './denial-digest.js';

export interface ActionAuditSettings {
  /** Whether each piece of work leaves an action record. */
  readonly logsActions: boolean;
  /** Whether work is rejected while records cannot be written. */
  readonly isMandatory: boolean;
}

/** Where action records go. */
export type ActionSink = AuditSink<LogRecord>;

export interface ActionJournalOptions {
  readonly settings: ActionAuditSettings;
  readonly sink: ActionSink | undefined;
  readonly clock: Clock;
}

export interface ActionJournalSnapshot {
  readonly isHealthy: boolean;
  readonly queued: number;
  readonly dropped: number;
}

/** How long work waits for the sink, before it begins and after it has ended. */
const SINK_TIMEOUT_MS = 5000;

/**
 * Writes a record of each piece of work. When that is mandatory, work begins only while the sink takes records, and its
 * result is given to nobody before its record is written, or could not be: then the record is kept, and no other work
 * begins until it is written.
 */
export class ActionJournal {
  #settings: ActionAuditSettings;
  readonly #clock: Clock;
  readonly #trail: AuditTrail<LogRecord> | undefined;
  readonly #denials: DenialDigest;

  /** @throws {InvalidSettingsError} when there is nowhere to write records to */
  constructor({ settings, sink, clock }: ActionJournalOptions) {
    if (settings.logsActions && sink === undefined) {
      throw new InvalidSettingsError(['audit.log_actions: expected a sink for the records']);
    }
    this.#settings = settings;
    this.#clock = clock;
    const isMandatory = () => this.#settings.isMandatory;
    this.#trail = sink && new AuditTrail({ sink, isMandatory, clock });
    this.#denials = new DenialDigest({ clock, write: (record) => this.#trail?.record(record) });
  }

  /** Whether records are written at all. */
  get isOn(): boolean {
    return this.#trail !== undefined && this.#settings.logsActions;
  }

  /** Changes what is recorded from now on. */
  reconfigure(settings: ActionAuditSettings): void {
    this.#settings = settings;
  }

  /** @throws {AuditUnavailableError} when records are mandatory and cannot be written */
  async requireSink(): Promise<void> {
    if (this.#trail === undefined || !this.#settings.isMandatory) {
      return;
    }
    try {
      await this.#within(this.#trail.prove());
    } catch (cause) {
      throw new AuditUnavailableError('work', 1, { cause });
    }
  }

  /** Writes a record. When records are mandatory, resolves when it is written or could not be; never rejects. */
  async record(record: LogRecord): Promise<void> {
    if (this.#trail === undefined) {
      return;
    }
    try {
      await this.#within(this.#trail.recordFirst(record));
    } catch {
      // The trail keeps it, and reports that to the next piece of work.
    }
  }

  /** Writes a record of work that was denied; when many alike follow within a second, one more says how many they were. */
  deny(denial: Denial): void {
    this.#denials.add(denial);
  }

  snapshot(): ActionJournalSnapshot {
    const { isHealthy = true, queued = 0, dropped = 0 } = this.#trail ?? {};
    return { isHealthy, queued, dropped };
  }

  /** Resolves when everything is written, or after the time. */
  async flush(timeoutMs: number): Promise<void> {
    this.#denials.flush();
    if (this.#trail === undefined) {
      return;
    }
    try {
      await within(timeoutMs, this.#clock, this.#trail.flush(), () => new Error('the audit sink takes too long'));
    } catch {
      // The process ends all the same.
    }
  }

  #within(writing: Promise<void>): Promise<void> {
    return within(SINK_TIMEOUT_MS, this.#clock, writing, () => new Error(`no answer within ${SINK_TIMEOUT_MS} ms`));
  }
}

const MAX_LENGTH = 1024;

/**
 * A text as it may stand in a record: of bounded length, and nothing in it that some store cannot keep, so that no record
 * can hold up those behind it. What cannot stand becomes U+FFFD.
 */
export function actionText(text: string): string {
  const bounded = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
  return bounded.toWellFormed().replaceAll(/\p{Cc}/gu, '\uFFFD');
}
