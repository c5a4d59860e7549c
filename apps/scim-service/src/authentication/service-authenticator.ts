import { Injectable } from '@nestjs/common';
import {
  AdminAuthenticator,
  Authenticator,
  type BearerCredential,
  digestSecret,
  type JwtVerifier,
  type Principal,
  STATIC_ADMIN_ACTOR,
} from '@palisade/guards';
import { currentRequest } from '@palisade/platform';
import type { AuthenticationConfig } from './authentication.config.js';
import { ScimAuthenticator } from './scim-authenticator.js';

/** Tells the callers of this service: providers and users at SCIM, admins at the admin API. */
@Injectable()
export class ServiceAuthenticator extends Authenticator {
  constructor(
    private readonly scim: ScimAuthenticator,
    private readonly admins: AdminAuthenticator,
  ) {
    super();
  }

  override async authenticate({ api, token }: BearerCredential): Promise<Principal> {
    const principal = await (api === 'scim' ? this.scim : this.admins).authenticate(token);
    const provider = 'provider' in principal ? principal.provider : undefined;
    currentRequest()?.annotate({ actor: principal.actor, provider });
    return principal;
  }
}

/** Admins as the configuration names them. */
export function createAdminAuthenticator(config: AuthenticationConfig, verifier: JwtVerifier): AdminAuthenticator {
  const { adminToken, adminTokenDigests, adminJwt } = config;
  const own = adminToken
    ? [{ name: STATIC_ADMIN_ACTOR, digest: digestSecret(adminToken), scope: 'admin' as const }]
    : [];
  return new AdminAuthenticator({ tokens: [...own, ...adminTokenDigests], jwt: adminJwt }, verifier);
}
