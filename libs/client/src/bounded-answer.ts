import { UnexpectedAnswerError } from './client.errors.js';

/** The same answer, whose body fails when it exceeds `maxBytes`; errors while reading are mapped by `toError`. */
export function boundedAnswer(
  response: Response,
  origin: string,
  toError: (error: unknown) => unknown,
  maxBytes: number,
): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    return response;
  }
  return new Response(ReadableStream.from(readBounded(body, origin, toError, maxBytes)), {
    status,
    statusText,
    headers,
  });
}

async function* readBounded(
  body: AsyncIterable<Uint8Array>,
  origin: string,
  toError: (error: unknown) => unknown,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) {
        throw new UnexpectedAnswerError(origin, `more than ${maxBytes} bytes`);
      }
      yield chunk;
    }
  } catch (error) {
    throw error instanceof UnexpectedAnswerError ? error : toError(error);
  }
}
