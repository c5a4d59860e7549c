import { pause } from '@palisade/async';
import type { ApiClient, ApiRequest } from '../command/api-client.js';
import { isPassing, retryBackoff } from '../command/passing-failures.js';
import { printable, valueAt } from '../command/output.js';
import type { CommandContext } from '../command/context.js';

/** How a request is repeated for what comes later. */
export interface Following {
  /** Where to ask for what comes later. */
  readonly path: string;
  /** Field of the query with the position to read after. */
  readonly from: string;
  /** Field of the answer with the position to go on from. */
  readonly next: string;
}

/** An answer without items that comes sooner means that too many follow already. */
const SOON_MS = 1000;

/**
 * Sends a request again and again, each time for what comes after the answer before, until the context's signal aborts. A
 * service that is unreachable or busy is told once and asked again after growing pauses.
 *
 * @throws {ApiError} when the service rejects the request for good
 */
export async function follow(
  client: ApiClient,
  { query, ...request }: ApiRequest,
  { path, from, next }: Following,
  onAnswer: (answer: unknown) => void,
  context: CommandContext,
): Promise<void> {
  const { signal } = context;
  const backoff = retryBackoff();
  // What comes later is always listed from the oldest to the newest.
  const { order: _, ...filters } = query ?? {};
  let isInterrupted = false;
  let position: unknown = filters[from];
  while (!signal.aborted) {
    const askedAt = context.now();
    try {
      if (position === undefined) {
        // Following begins after the newest item that there is, unless the caller says where.
        const found = await client.send({ ...request, query: { ...filters, order: 'desc', limit: 1 } });
        position = valueAt(found, 'items.0.position') ?? 0;
        continue;
      }
      const answer = await client.send({ ...request, path, query: { ...filters, [from]: position } });
      const isNew = valueAt(answer, next) !== position;
      position = valueAt(answer, next) ?? position;
      onAnswer(answer);
      backoff.reset();
      isInterrupted = false;
      if (!isNew && context.now() - askedAt < SOON_MS) {
        await pause(SOON_MS, signal);
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (!isPassing(error)) {
        throw error;
      }
      if (!isInterrupted) {
        context.error(`${printable((error as Error).message)}; trying again\n`);
        isInterrupted = true;
      }
      await pause(backoff.next(), signal);
    }
  }
}
