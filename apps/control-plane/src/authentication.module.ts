import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import {
  AdminAuthenticator,
  Authenticator,
  BearerTokenGuard,
  JwtVerifier,
  STATIC_ADMIN_ACTOR,
  digestSecret,
} from '@palisade/guards';
import { ControlPlaneConfig } from './config/control-plane.config.js';
import { ControlPlaneAuthenticator } from './control-plane-authenticator.js';

/** Guards every route of the app. */
@Module({
  providers: [
    { provide: APP_GUARD, useClass: BearerTokenGuard },
    { provide: Authenticator, useClass: ControlPlaneAuthenticator },
    { provide: AdminAuthenticator, inject: [ControlPlaneConfig], useFactory: createAdminAuthenticator },
  ],
  exports: [Authenticator],
})
export class AuthenticationModule {}

function createAdminAuthenticator(config: ControlPlaneConfig): AdminAuthenticator {
  const { adminToken, adminTokenDigests, adminJwt } = config;
  const own =
    adminToken === undefined
      ? []
      : [{ name: STATIC_ADMIN_ACTOR, digest: digestSecret(adminToken), scope: 'admin' as const }];
  return new AdminAuthenticator({ tokens: [...own, ...adminTokenDigests], jwt: adminJwt }, new JwtVerifier());
}
