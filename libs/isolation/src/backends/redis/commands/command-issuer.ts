import type { RedisArgument } from '../redis-link.js';

/** What a caller may store: text (as UTF-8) or bytes. */
export type RedisInput = string | Uint8Array;

/** A reply that comes with the others of its transaction. */
export class QueuedReply<T> {
  constructor(readonly decode: (reply: unknown) => T) {}
}

/** What a command comes to: a reply, when it is sent at once; one that is still to come, when it is queued. */
export interface Issued<T> {
  readonly sent: Promise<T>;
  readonly queued: QueuedReply<T>;
}

export type IssueMode = keyof Issued<unknown>;

/** What the server calls a key of the namespace. @throws {InvalidNameError} */
export type OwnKey = (name: string) => string;

/** Takes commands of one namespace. An invalid command fails where its result is awaited. */
export interface CommandIssuer<M extends IssueMode> {
  issue<T>(build: (own: OwnKey) => readonly RedisArgument[], decode: (reply: unknown) => T): Issued<T>[M];
}

/** Keys, fields or values that one command may have. */
export const MAX_ARGUMENTS = 10_000;

/** @throws {RangeError} when there are none, or too many */
export function requireSome<T>(items: Iterable<T>): readonly T[] {
  const all = Array.isArray(items) ? (items as readonly T[]) : [...items];
  if (all.length === 0 || all.length > MAX_ARGUMENTS) {
    throw new RangeError(`expected 1 to ${MAX_ARGUMENTS} of them, found ${all.length}`);
  }
  return all;
}

/** @throws {RangeError} when it is no whole number in the range */
export function requireInteger(name: string, value: number, min = Number.MIN_SAFE_INTEGER): string {
  if (!Number.isSafeInteger(value) || value < min) {
    throw new RangeError(`${name}: expected a whole number${min < 0 ? '' : ` of at least ${min}`}, found ${value}`);
  }
  return String(value);
}

/** @throws {TypeError} when it is neither text nor bytes, or has half a surrogate pair, which UTF-8 cannot say */
export function toArgument(value: RedisInput): RedisArgument {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) {
      throw new TypeError('expected text without halves of surrogate pairs; send bytes instead');
    }
    return value;
  }
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  throw new TypeError(`expected text or bytes, found ${typeof value}`);
}

/** @throws {RangeError} when there are none, or too many */
export function toArguments(values: readonly RedisInput[]): RedisArgument[] {
  return requireSome(values).map(toArgument);
}

export function toPositions(start: number, stop: number): string[] {
  return [requireInteger('start', start), requireInteger('stop', stop)];
}

export function toNumber(reply: unknown): number {
  return Number(reply);
}

/** For replies that count what was done, or say 1 for yes. */
export function toBoolean(reply: unknown): boolean {
  return reply === 1;
}

export function toNothing(): void {}

/** Values come in the form that was asked for; `V` says which. */
export function toValue<V>(reply: unknown): V | undefined {
  return (reply ?? undefined) as V | undefined;
}

export function toValues<V>(reply: unknown): V[] {
  return reply as V[];
}

export function toOptionalValues<V>(reply: unknown): (V | undefined)[] {
  return (reply as unknown[]).map((value) => toValue<V>(value));
}

/** Fields and the like, which are texts whatever the form of values. */
export function toText(reply: unknown): string {
  return String(reply);
}
