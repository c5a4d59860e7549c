import { Injectable } from '@nestjs/common';
import {
  AdminAuthenticator,
  Authenticator,
  UnauthenticatedError,
  type BearerCredential,
  type Principal,
} from '@palisade/guards';
import { currentRequest } from '@palisade/platform';

/** Tells the admins of this service; it has no other callers. */
@Injectable()
export class ControlPlaneAuthenticator extends Authenticator {
  constructor(private readonly admins: AdminAuthenticator) {
    super();
  }

  override async authenticate({ api, token }: BearerCredential): Promise<Principal> {
    if (api !== 'admin') {
      throw new UnauthenticatedError('invalid');
    }
    const principal = await this.admins.authenticate(token);
    currentRequest()?.annotate({ actor: principal.actor });
    return principal;
  }
}
