import { Body, Delete, Get, HttpStatus, Post } from '@nestjs/common';
import type { ChangeContext, ProviderId } from '@palisade/domain';
import { Change, adminRoutes } from '@palisade/platform';
import { ProviderParam, TokenParam } from '../path-parameters.js';
import { PROVIDER_PROBLEMS, TOKEN_ID_EXAMPLE } from './providers.errors.js';
import { toIssuedTokenResponse, toRotation, toTokenDraft, toTokenList } from './token.mapper.js';
import {
  ISSUE_TOKEN_EXAMPLES,
  IssuedTokenResponse,
  IssueTokenBody,
  ROTATE_TOKEN_EXAMPLES,
  RotateTokenBody,
  TokenList,
} from './tokens.dto.js';
import { TokensService } from './tokens.service.js';

const { AdminController, FullAdminRoute } = adminRoutes(PROVIDER_PROBLEMS);

@AdminController('providers/:provider/tokens', 'Tokens')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Post()
  @FullAdminRoute('admin', {
    id: 'issueToken',
    summary: 'Issue a token or an OAuth 2.0 client',
    description: 'The secret is shown in this answer only.',
    body: { type: IssueTokenBody, examples: ISSUE_TOKEN_EXAMPLES, isOptional: true },
    status: HttpStatus.CREATED,
    answer: IssuedTokenResponse,
    problems: ['PROVIDER_NOT_FOUND'],
  })
  issue(
    @ProviderParam('provider', 'acme-entra') provider: ProviderId,
    @Body() body: IssueTokenBody,
    @Change() change: ChangeContext,
  ): Promise<IssuedTokenResponse> {
    return this.tokens.issue(provider, toTokenDraft(body), change).then(toIssuedTokenResponse);
  }

  @Get()
  @FullAdminRoute('read', {
    id: 'listTokens',
    summary: "List a provider's tokens",
    description: 'In order of creation, those that have ended as well; never with their secrets.',
    answer: TokenList,
    problems: ['PROVIDER_NOT_FOUND'],
  })
  list(@ProviderParam('provider', 'acme-entra') provider: ProviderId): Promise<TokenList> {
    return this.tokens.list(provider).then(toTokenList);
  }

  @Post(':token/rotate')
  @FullAdminRoute('admin', {
    id: 'rotateToken',
    summary: 'Replace a token without downtime',
    description: 'Issues a successor; the old token ends after the overlap. A client gets a new client id.',
    body: { type: RotateTokenBody, examples: ROTATE_TOKEN_EXAMPLES, isOptional: true },
    status: HttpStatus.CREATED,
    answer: IssuedTokenResponse,
    problems: ['TOKEN_NOT_FOUND', 'TOKEN_ENDED'],
  })
  rotate(
    @ProviderParam('provider', 'acme-entra') provider: ProviderId,
    @TokenParam('token', TOKEN_ID_EXAMPLE) token: string,
    @Body() body: RotateTokenBody,
    @Change() change: ChangeContext,
  ): Promise<IssuedTokenResponse> {
    return this.tokens.rotate(provider, token, toRotation(body), change).then(toIssuedTokenResponse);
  }

  @Delete(':token')
  @FullAdminRoute('admin', {
    id: 'revokeToken',
    summary: 'Revoke a token',
    description:
      'It ends at once, as do the access tokens that were issued to a client. Revoking it again changes nothing.',
    problems: ['TOKEN_NOT_FOUND'],
  })
  revoke(
    @ProviderParam('provider', 'acme-entra') provider: ProviderId,
    @TokenParam('token', TOKEN_ID_EXAMPLE) token: string,
    @Change() change: ChangeContext,
  ): Promise<void> {
    return this.tokens.revoke(provider, token, change);
  }
}
