import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { ApiClient } from '../command/api-client.js';
import { FailureError, systemErrorCode } from '../command/command.errors.js';
import type { CommandContext } from '../command/context.js';
import { printCsvRecord } from './csv.js';
import { toCsv } from './csv-resource.js';
import type { Format } from './input-file.js';
import type { Resource, ResourceKind } from './resource-kind.js';

interface ListResponse {
  readonly Resources?: readonly Resource[];
  readonly nextCursor?: string;
}

/** All resources of a kind, page by page (RFC 9865). */
export async function* listResources(client: ApiClient, kind: ResourceKind): AsyncGenerator<Resource> {
  let cursor = '';
  for (;;) {
    const query = { count: String(kind.pageSize), cursor };
    const answer = await client.send({ method: 'GET', path: `/scim/v2${kind.endpoint}`, query });
    const { Resources: resources = [], nextCursor } = (answer ?? {}) as ListResponse;
    yield* resources;
    if (nextCursor === undefined) {
      return;
    }
    if (nextCursor === cursor) {
      throw new FailureError('the service keeps answering with the same page');
    }
    cursor = nextCursor;
  }
}

/** Writes all resources of a kind as text. */
export async function exportResources(
  kind: ResourceKind,
  format: Format,
  client: ApiClient,
  write: (text: string) => Promise<void>,
): Promise<number> {
  let count = 0;
  if (format === 'csv') {
    await write(printCsvRecord(Object.keys(kind.columns)));
  }
  for await (const resource of listResources(client, kind)) {
    await write(format === 'csv' ? printCsvRecord(toCsv(kind, resource)) : `${JSON.stringify(resource)}\n`);
    count++;
  }
  return count;
}

/** Opens the target of an export: a new file that only its owner can read, or standard output. */
export function openOutput(path: string | undefined, context: CommandContext): ExportOutput {
  if (path === undefined) {
    return { write: (text) => Promise.resolve(context.out(text)), close: () => Promise.resolve() };
  }
  const stream = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const done = finished(stream).catch((error: unknown) => {
    const code = systemErrorCode(error) ?? String(error);
    const reason = code === 'EEXIST' ? 'it exists already and is not overwritten' : code;
    throw new FailureError(`cannot write ${path} (${reason})`, { cause: error });
  });
  // A failure is thrown by the next write or close; until then it must not count as unhandled.
  done.catch(() => undefined);
  const drained = async (): Promise<void> => void (await once(stream, 'drain'));
  return {
    write: (text) => (stream.write(text) ? Promise.resolve() : Promise.race([drained(), done])),
    close: () => {
      stream.end();
      return done;
    },
  };
}

export interface ExportOutput {
  readonly write: (text: string) => Promise<void>;
  /** Resolves when everything is written. */
  readonly close: () => Promise<void>;
}
