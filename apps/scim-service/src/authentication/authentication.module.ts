import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Store } from '@palisade/domain';
import { AdminAuthenticator, Authenticator, BearerTokenGuard, JwtVerifier } from '@palisade/guards';
import { SigningKey } from '@palisade/platform';
import { AccessTokens } from './access-tokens.js';
import { AuthenticationConfig } from './authentication.config.js';
import { ConfiguredProvider } from './configured-provider.js';
import { FederatedTokens } from './federated-tokens.js';
import { ProviderCache } from './provider-cache.js';
import { ScimAuthenticator } from './scim-authenticator.js';
import { createAdminAuthenticator, ServiceAuthenticator } from './service-authenticator.js';
import { StoredTokens, TokenUsage } from './stored-tokens.js';
import { TokenCache } from './token-cache.js';

/** Guards every route of the app. Needs {@link AuthenticationConfig}, the store and the log from global modules. */
@Module({
  providers: [
    { provide: APP_GUARD, useClass: BearerTokenGuard },
    { provide: Authenticator, useClass: ServiceAuthenticator },
    { provide: JwtVerifier, useFactory: () => new JwtVerifier() },
    { provide: AdminAuthenticator, inject: [AuthenticationConfig, JwtVerifier], useFactory: createAdminAuthenticator },
    ConfiguredProvider,
    ScimAuthenticator,
    FederatedTokens,
    AccessTokens,
    { provide: SigningKey, inject: [Store], useFactory: (store: Store) => new SigningKey(store, 'access-token') },
    ProviderCache,
    StoredTokens,
    TokenCache,
    TokenUsage,
  ],
  exports: [ConfiguredProvider, ProviderCache, TokenCache, StoredTokens, AccessTokens],
})
export class AuthenticationModule {}
