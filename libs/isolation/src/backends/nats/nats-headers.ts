import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { InvalidNameError } from '../../separation/invalid-name.error.js';

/** One text for each name. */
export type NatsHeaders = Readonly<Record<string, string>>;

const MAX_HEADERS = 100;
const MAX_VALUE_LENGTH = 4_096;
const NAME = /^[\w-]{1,64}$/;

/**
 * What the servers take for instructions begins like this: a message could ask for more copies of itself, or for reports
 * of its way, to be sent to any subject.
 */
const RESERVED = /^nats-/i;

/** @throws {InvalidNameError} when a name is reserved, or none; {RangeError} when there are too many or too long ones */
export function toMsgHdrs(given: NatsHeaders | undefined): MsgHdrs | undefined {
  if (given === undefined) {
    return undefined;
  }
  const entries = Object.entries(given);
  if (entries.length > MAX_HEADERS) {
    throw new RangeError(`expected at most ${MAX_HEADERS} headers, found ${entries.length}`);
  }
  const result = headers();
  for (const [name, value] of entries) {
    if (!NAME.test(name) || RESERVED.test(name)) {
      throw new InvalidNameError(
        'NATS header',
        name,
        '1 to 64 letters, digits, "_" and "-", not beginning with "Nats-"',
      );
    }
    requireValue(name, value);
    result.set(name, value);
  }
  return result;
}

/** The first value of each name. */
export function fromMsgHdrs(given: MsgHdrs | undefined): ReadonlyMap<string, string> {
  return new Map(given?.keys().map((name) => [name, given.get(name)]));
}

function requireValue(name: string, value: unknown): void {
  if (typeof value !== 'string' || value.length > MAX_VALUE_LENGTH || /[\p{Cc}\p{Cs}]/u.test(value)) {
    throw new RangeError(`header ${name}: expected at most ${MAX_VALUE_LENGTH} characters and no control characters`);
  }
}
