import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { ProviderId, ProviderToken } from '@palisade/domain';
import { digestSecret } from '@palisade/guards';

/** Lets secret scanners recognise a token that ended up where it should not be. */
const PREFIX = 'pls_';
const SECRET_BYTES = 32;
const HINT_LENGTH = 4;

/** A token together with its secret, which exists nowhere else: it is shown once and not kept. */
export interface IssuedToken {
  readonly token: ProviderToken;
  readonly secret: string;
}

export interface TokenDraft {
  readonly kind: ProviderToken['kind'];
  readonly description?: string;
  readonly expiresAt?: Date;
}

export function issueToken(provider: ProviderId, draft: TokenDraft, createdAt: Date): IssuedToken {
  const secret = PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  const { kind, description, expiresAt } = draft;
  const digest = digestSecret(secret);
  const hint = secret.slice(-HINT_LENGTH);
  return { secret, token: { id: uuidv7(), provider, kind, description, digest, hint, createdAt, expiresAt } };
}

/** Whether the token can still be used. */
export function tokenState({ revokedAt, expiresAt }: ProviderToken, at: Date): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== undefined) {
    return 'revoked';
  }
  return expiresAt !== undefined && expiresAt <= at ? 'expired' : 'active';
}
