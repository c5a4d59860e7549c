import { Injectable } from '@nestjs/common';
import { AdminAuthenticator, Authenticator, type BearerCredential, type Principal } from '@palisade/guards';
import { currentRequest } from '@palisade/platform';
import { ScimAuthenticator } from './scim/scim-authenticator.js';

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
    const provider = principal.kind === 'admin' ? undefined : principal.provider;
    currentRequest()?.annotate({ actor: principal.actor, provider });
    return principal;
  }
}
