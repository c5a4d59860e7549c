import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AdminAuthenticator, Authenticator, BearerTokenGuard, JwtVerifier } from '@palisade/guards';
import { AuditModule } from '../audit/audit.module.js';
import { AccessTokens } from './access-tokens.js';
import { AuthenticationConfig } from './authentication.config.js';
import { ConfiguredProvider } from './configured-provider.js';
import { FederatedTokens } from './federated-tokens.js';
import { ProviderCache } from './provider-cache.js';
import { ScimAuthenticator } from './scim-authenticator.js';
import { createAdminAuthenticator, ServiceAuthenticator } from './service-authenticator.js';
import { SigningKey } from './signing-key.js';
import { StoredTokens, TokenUsage } from './stored-tokens.js';
import { TokenCache } from './token-cache.js';

/** Guards every route of the app. Needs {@link AuthenticationConfig} and the store from a global module. */
@Module({
  imports: [AuditModule],
  providers: [
    { provide: APP_GUARD, useClass: BearerTokenGuard },
    { provide: Authenticator, useClass: ServiceAuthenticator },
    { provide: JwtVerifier, useFactory: () => new JwtVerifier() },
    { provide: AdminAuthenticator, inject: [AuthenticationConfig, JwtVerifier], useFactory: createAdminAuthenticator },
    ConfiguredProvider,
    ScimAuthenticator,
    FederatedTokens,
    AccessTokens,
    SigningKey,
    ProviderCache,
    StoredTokens,
    TokenCache,
    TokenUsage,
  ],
  exports: [ConfiguredProvider, ProviderCache, TokenCache, StoredTokens, AccessTokens],
})
export class AuthenticationModule {}
