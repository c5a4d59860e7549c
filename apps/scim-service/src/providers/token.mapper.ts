import type { ProviderToken } from '@palisade/domain';
import { InvalidRequestError } from '@palisade/platform';
import { tokenState, type IssuedToken, type TokenDraft } from './issued-token.js';
import type { IssueTokenBody, IssuedTokenResponse, RotateTokenBody, TokenList, TokenResponse } from './tokens.dto.js';
import type { Rotation } from './tokens.service.js';

/** @throws {InvalidRequestError} */
export function toTokenDraft({ kind, description, expires_at: expiresAt }: IssueTokenBody): TokenDraft {
  return { kind, description, expiresAt: toDate(expiresAt) };
}

/** @throws {InvalidRequestError} */
export function toRotation({ overlap_seconds: overlapSeconds, expires_at: expiresAt }: RotateTokenBody): Rotation {
  return { overlapSeconds, expiresAt: toDate(expiresAt) };
}

/** The token as it may be shown: neither secret nor digest. */
export function toTokenResponse(token: ProviderToken): TokenResponse {
  const { id, kind, description, hint, createdAt, expiresAt, lastUsedAt, revokedAt } = token;
  return {
    id,
    kind,
    description,
    hint,
    state: tokenState(token, new Date()),
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString(),
    last_used_at: lastUsedAt?.toISOString(),
    revoked_at: revokedAt?.toISOString(),
  };
}

export function toIssuedTokenResponse({ token, secret }: IssuedToken): IssuedTokenResponse {
  return { ...toTokenResponse(token), secret };
}

export function toTokenList(tokens: readonly ProviderToken[]): TokenList {
  return { items: tokens.map(toTokenResponse) };
}

function toDate(text: string | undefined): Date | undefined {
  if (text === undefined) {
    return undefined;
  }
  const date = new Date(text);
  // Without a zone the meaning would depend on where the service runs; some forms of ISO 8601 (weeks) no Date understands.
  if (Number.isNaN(date.getTime()) || !/(?:Z|[+-]\d\d:\d\d)$/i.test(text)) {
    throw new InvalidRequestError('expires_at', 'a date and time with a time zone, such as 2027-01-01T00:00:00Z');
  }
  return date;
}
