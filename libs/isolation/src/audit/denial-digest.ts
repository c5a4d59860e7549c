import type { Clock } from '@palisade/async';
import type { LogRecord } from '@palisade/domain';
import { Expiry, ExpiryLink } from '../collections/expiry.js';

/** Work that was denied, and why. */
export interface Denial {
  readonly record: LogRecord;
  /** Denials with the same code are reported together. */
  readonly code: string;
}

export interface DenialDigestOptions {
  readonly clock: Clock;
  readonly write: (record: LogRecord) => void;
}

interface Entry {
  readonly key: string;
  record: LogRecord;
  /** Since the last record. */
  denials: number;
}

const DIGEST_MS = 1000;
/** Namespaces and reasons that are told apart at once; denials beyond them are reported one by one. */
const MAX_ENTRIES = 10_000;

/**
 * Keeps a flood of denied work from becoming a flood of records: the first denial of a namespace for a reason is reported
 * at once, those that follow within a second together at its end, with their number.
 */
export class DenialDigest {
  readonly #options: DenialDigestOptions;
  readonly #entries = new Map<string, ExpiryLink<Entry>>();
  readonly #digests: Expiry<Entry>;

  constructor(options: DenialDigestOptions) {
    const { clock } = options;
    this.#options = options;
    this.#digests = new Expiry({ clock, delayMs: DIGEST_MS, onExpired: (entry) => this.#conclude(entry) });
  }

  /** Namespaces and reasons that were told of within the second. */
  get size(): number {
    return this.#entries.size;
  }

  add({ record, code }: Denial): void {
    const key = JSON.stringify([record.namespace, code]);
    const link = this.#entries.get(key);
    if (link !== undefined) {
      link.value.record = record;
      link.value.denials++;
      return;
    }
    this.#options.write(record);
    if (this.#entries.size < MAX_ENTRIES) {
      const created = new ExpiryLink<Entry>({ key, record, denials: 0 });
      this.#entries.set(key, created);
      this.#digests.add(created, this.#options.clock.now());
    }
  }

  /** Tells now what would be told at the end of the second. */
  flush(): void {
    for (const link of this.#entries.values()) {
      this.#digests.remove(link);
      this.#conclude(link.value);
    }
    this.#digests.cancel();
  }

  #conclude({ key, record, denials }: Entry): void {
    this.#entries.delete(key);
    if (denials > 0) {
      this.#options.write({ ...record, detail: { ...record.detail, denials } });
    }
  }
}
