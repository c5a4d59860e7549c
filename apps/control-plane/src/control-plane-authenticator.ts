import { Injectable } from '@nestjs/common';
import {
  AdminAuthenticator,
  Authenticator,
  UnauthenticatedError,
  findByToken,
  type BearerCredential,
  type Principal,
  type ProxyPrincipal,
} from '@palisade/guards';
import { currentRequest } from '@palisade/platform';
import { ControlPlaneConfig } from './config/control-plane.config.js';

/** Knows the callers of this service: admins, and proxies by the credential of their pool. */
@Injectable()
export class ControlPlaneAuthenticator extends Authenticator {
  constructor(
    private readonly admins: AdminAuthenticator,
    private readonly config: ControlPlaneConfig,
  ) {
    super();
  }

  override async authenticate({ api, token }: BearerCredential): Promise<Principal> {
    if (api !== 'admin') {
      throw new UnauthenticatedError('invalid');
    }
    const principal = this.findProxy(token) ?? (await this.admins.authenticate(token));
    currentRequest()?.annotate({ actor: principal.actor });
    return principal;
  }

  private findProxy(token: string): ProxyPrincipal | undefined {
    const match = findByToken(this.config.proxyTokenDigests, token);
    return match && { kind: 'proxy', actor: `proxy:${match.name}`, pool: match.pool, idPrefix: match.idPrefix };
  }
}
