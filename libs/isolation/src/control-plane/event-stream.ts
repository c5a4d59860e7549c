import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ControlPlaneUnavailableError } from './control-plane.errors.js';

export interface EventStreamOptions {
  /** An event may have at most this many characters. */
  readonly maxEventLength: number;
  /** Called whenever something has come, also when it is not an event. */
  readonly onActivity: () => void;
}

/**
 * The server-sent events of a body, until it ends.
 *
 * @throws {ControlPlaneUnavailableError} when an event is too long, or the body is not UTF-8
 */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  { maxEventLength, onActivity }: EventStreamOptions,
): AsyncGenerator<EventSourceMessage, void> {
  const events: EventSourceMessage[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: maxEventLength,
    onEvent: (event) => {
      // The parser only bounds what it has to keep.
      isTooLong ||= event.data.length > maxEventLength;
      events.push(event);
    },
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of body) {
    onActivity();
    parser.feed(decode(decoder, chunk));
    if (isTooLong) {
      throw new ControlPlaneUnavailableError(
        `an event of the policy stream has more than ${maxEventLength} characters`,
      );
    }
    yield* events.splice(0);
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new ControlPlaneUnavailableError('the policy stream is not UTF-8', { cause });
  }
}
