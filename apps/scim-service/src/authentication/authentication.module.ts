import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AdminAuthenticator, Authenticator, BearerTokenGuard, JwtVerifier } from '@palisade/guards';
import { AuditModule } from '../audit/audit.module.js';
import { AccessTokens } from './access-tokens/access-tokens.js';
import { SigningKey } from './access-tokens/signing-key.js';
import { createAdminAuthenticator } from './admin-authenticator.factory.js';
import { AuthenticationConfig } from './authentication.config.js';
import { ConfiguredProvider } from './configured-provider.js';
import { ProviderCache } from './provider-cache.js';
import { FederatedTokens } from './scim/federated-tokens.js';
import { ScimAuthenticator } from './scim/scim-authenticator.js';
import { StoredTokens } from './scim/stored-tokens.js';
import { TokenCache } from './scim/token-cache.js';
import { TokenUsage } from './scim/token-usage.js';
import { ServiceAuthenticator } from './service-authenticator.js';

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
