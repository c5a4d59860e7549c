import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './tenant.js';

const CLIENTS = 10;
const PAUSE_MS = 20;

/** Clients that never stop asking, whatever they are told. */
export class SteadyLoad implements AsyncDisposable {
  /** By status, with the code when there is one. */
  readonly answers = new Map<string, number>();
  succeeded = 0;
  #isOver = false;
  readonly #clients: readonly Promise<void>[];

  constructor(ask: () => Promise<Answer>) {
    this.#clients = Array.from({ length: CLIENTS }, async () => {
      while (!this.#isOver) {
        this.#note(await ask());
        await sleep(PAUSE_MS);
      }
    });
  }

  /** Requests that were rejected. */
  get rejected(): number {
    return [...this.answers.values()].reduce((sum, count) => sum + count, 0) - this.succeeded;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  #note({ status, body }: Answer): void {
    const isRight = status < 300;
    const { code } = (body ?? {}) as { code?: string };
    const key = isRight ? String(status) : `${status} ${code}`;
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
    this.succeeded += Number(isRight);
  }
}
