import { Body, Controller, Get, Header, Headers, HttpCode, HttpStatus, Ip, Post, UseFilters } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { JWK } from 'jose';
import { Public } from '@palisade/guards';
import { OAuthExceptionFilter } from './oauth.errors.js';
import { GET_PUBLIC_KEYS, ISSUE_ACCESS_TOKEN } from './oauth.openapi.js';
import { OAuthService, type TokenAnswer } from './oauth.service.js';

@ApiTags('OAuth 2.0')
@Public()
@UseFilters(OAuthExceptionFilter)
@Controller('oauth')
export class OAuthController {
  constructor(private readonly oauth: OAuthService) {}

  @Post('token')
  @HttpCode(HttpStatus.OK)
  // RFC 6749 §5.1: both headers are required.
  @Header('Cache-Control', 'no-store')
  @Header('Pragma', 'no-cache')
  @ApiOperation(ISSUE_ACCESS_TOKEN)
  issue(
    @Body() form: Record<string, unknown> | null,
    @Headers('authorization') authorization: string | undefined,
    @Ip() remoteAddress: string,
  ): Promise<TokenAnswer> {
    return this.oauth.issueAccessToken({ form, authorization }, remoteAddress);
  }

  @Get('jwks')
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation(GET_PUBLIC_KEYS)
  publicKeys(): Promise<{ keys: JWK[] }> {
    return this.oauth.publicKeys();
  }
}
