import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Relationship, RelationshipFormat } from './relationship-formats.js';

type Batches = AsyncGenerator<readonly Relationship[], void, void>;

/**
 * Streams relationships as fast as the client reads them; batches are fetched when there is room for them. A failure of
 * the first batch is thrown. After that the answer has begun, and a failure cuts the connection, so that what the
 * client has is recognisably incomplete.
 */
export async function sendRelationships(
  response: Response,
  format: RelationshipFormat,
  batches: Batches,
): Promise<void> {
  const first = await batches.next();
  response.setHeader('Content-Type', `${format.mediaType}; charset=utf-8`);
  response.setHeader('Cache-Control', 'no-store');
  try {
    await pipeline(Readable.from(write(format, first, batches)), response);
  } catch (error) {
    // A client that disconnects is not a failure; everything else is, and the filter logs it.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      throw error;
    }
  } finally {
    await batches.return();
  }
}

async function* write(
  format: RelationshipFormat,
  first: IteratorResult<readonly Relationship[], void>,
  batches: Batches,
): AsyncGenerator<string, void, void> {
  let isEmpty = true;
  yield format.start;
  for (let batch = first; !batch.done; batch = await batches.next()) {
    const text = batch.value.map((relationship) => format.write(relationship)).join(format.separator);
    if (text !== '') {
      yield isEmpty ? text : format.separator + text;
      isEmpty = false;
    }
  }
  yield isEmpty ? format.end.trimStart() : format.end;
}
