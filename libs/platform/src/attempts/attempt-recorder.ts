import { Logger } from '@nestjs/common';
import { AttemptWindows, type Summaries } from './attempt-windows.js';

const MAX_UNWRITTEN = 1000;
const FLUSH_INTERVAL_MS = 1000;

export interface AttemptRecorderOptions<A> extends Summaries<A> {
  /** All or none. */
  readonly write: (attempts: readonly A[]) => Promise<void>;
}

/**
 * Writes refused attempts down without making anybody wait: in batches, within a second, repeated ones together (see
 * {@link AttemptWindows}). What cannot be written is tried again; of that the latest 1000 are kept.
 */
export class AttemptRecorder<A> {
  private readonly logger = new Logger(AttemptRecorder.name);
  private readonly windows: AttemptWindows<A>;
  private unwritten: readonly A[] = [];
  private writing = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: AttemptRecorderOptions<A>) {
    this.windows = new AttemptWindows(options);
  }

  start(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  /** Writes everything that is pending. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.write(this.windows.drain(new Date()));
  }

  /** @param kind attempts of the same kind count as repeats of each other */
  record(kind: string, attempt: A, at: Date): void {
    this.windows.add(kind, attempt, at);
  }

  /** Writes what is due. Never fails: what could not be written stays. */
  flush(): Promise<void> {
    return this.write(this.windows.collect(new Date()));
  }

  private write(attempts: readonly A[]): Promise<void> {
    this.unwritten = [...this.unwritten, ...attempts].slice(-MAX_UNWRITTEN);
    this.writing = this.writing.then(() => this.writeUnwritten());
    return this.writing;
  }

  private async writeUnwritten(): Promise<void> {
    const batch = this.unwritten;
    if (batch.length === 0) {
      return;
    }
    this.unwritten = [];
    try {
      await this.options.write(batch);
    } catch (error) {
      this.unwritten = [...batch, ...this.unwritten].slice(-MAX_UNWRITTEN);
      this.logger.warn(`${batch.length} refused attempts could not be written down yet`, error);
    }
  }
}
