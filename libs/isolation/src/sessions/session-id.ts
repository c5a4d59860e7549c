import { randomUUID } from 'node:crypto';
import { InvalidIdentifierError } from '@palisade/domain';

declare const brand: unique symbol;

/** The name of a session: a random UUID, made here and never by a client. */
export type SessionId = string & { readonly [brand]: 'SessionId' };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function createSessionId(): SessionId {
  return randomUUID() as SessionId;
}

/** @throws {InvalidIdentifierError} when the text is not a UUID in lower case */
export function parseSessionId(text: string): SessionId {
  if (!UUID.test(text)) {
    throw new InvalidIdentifierError('session id', text, 'a UUID');
  }
  return text as SessionId;
}
