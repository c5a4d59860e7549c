import { setTimeout as sleep } from 'node:timers/promises';
import type { NamespaceId } from '@palisade/domain';
import type { NamespacePools } from '../../src/pools/namespace-pools.js';

const CLIENTS_PER_NAMESPACE = 10;

/** Clients of several namespaces that never stop asking, whatever they are told. */
export class RestartLoad<C> {
  jobs = 0;
  readonly rejections: unknown[] = [];
  /** What happened to jobs that had a connection. */
  readonly failures: unknown[] = [];
  readonly #end = new AbortController();
  readonly #clients: readonly Promise<void>[];

  constructor(
    private readonly pools: NamespacePools<C>,
    namespaces: readonly NamespaceId[],
    private readonly job: (connection: C, namespace: NamespaceId) => Promise<unknown>,
  ) {
    this.#clients = namespaces.flatMap((namespace) =>
      Array.from({ length: CLIENTS_PER_NAMESPACE }, () => this.#ask(namespace)),
    );
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#clients);
  }

  async #ask(namespace: NamespaceId): Promise<void> {
    while (!this.#end.signal.aborted) {
      try {
        using lease = await this.pools.acquire(namespace);
        await this.#work(lease.connection, namespace);
      } catch (error) {
        this.rejections.push(error);
        await sleep(10); // as a client does that was told to come again
      }
    }
  }

  async #work(connection: C, namespace: NamespaceId): Promise<void> {
    try {
      await this.job(connection, namespace);
      this.jobs++;
    } catch (error) {
      this.failures.push(error);
      await sleep(10);
    }
  }
}

/** The stable code of an error of the library. */
export function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
