import { HttpStatus } from '@nestjs/common';
import {
  DomainError,
  ProviderBusyError,
  ProviderExistsError,
  ProviderNotFoundError,
  ResourceNotFoundError,
  parseProviderId,
  type ProviderId,
} from '@palisade/domain';
import type { ProblemTable } from '@palisade/platform';

/** The id of a token in the API pages. */
export const TOKEN_ID_EXAMPLE = '01a5b0c4-7d2e-7c31-9a44-2f6d0c1b9e57';

/** The token is revoked or expired, so there is nothing to hand over to a new one. */
export class TokenEndedError extends DomainError {
  readonly code = 'TOKEN_ENDED';

  constructor(readonly tokenId: string) {
    super(`token ${tokenId} has expired or is revoked; create a new one instead`);
  }
}

/** The provider has no token with this id. */
export class TokenNotFoundError extends DomainError {
  readonly code = 'TOKEN_NOT_FOUND';

  constructor(
    readonly provider: ProviderId,
    readonly tokenId: string,
  ) {
    super(`provider "${provider}" has no token ${JSON.stringify(tokenId.slice(0, 80))}`);
  }
}

const PROVIDER = parseProviderId('default');

/** What may go wrong with a provider and what belongs to it. */
export const PROVIDER_PROBLEMS = {
  PROVIDER_NOT_FOUND: [HttpStatus.NOT_FOUND, 'no such provider', new ProviderNotFoundError(PROVIDER)],
  RESOURCE_NOT_FOUND: [
    HttpStatus.NOT_FOUND,
    'no such user or group',
    new ResourceNotFoundError(PROVIDER, 'User', 'ada'),
  ],
  TOKEN_NOT_FOUND: [
    HttpStatus.NOT_FOUND,
    'the provider has no such token',
    new TokenNotFoundError(PROVIDER, TOKEN_ID_EXAMPLE),
  ],
  PROVIDER_EXISTS: [HttpStatus.CONFLICT, 'the provider id is taken', new ProviderExistsError(PROVIDER)],
  TOKEN_ENDED: [
    HttpStatus.CONFLICT,
    'the token is revoked or expired and cannot be rotated',
    new TokenEndedError(TOKEN_ID_EXAMPLE),
  ],
  PROVIDER_BUSY: [
    HttpStatus.TOO_MANY_REQUESTS,
    'the provider has more operations under way than its share; `Retry-After` in seconds',
    new ProviderBusyError(PROVIDER, 200),
  ],
} as const satisfies ProblemTable;
