import { ScimError } from '@palisade/scim';
import type { ScimAnswer } from './scim-answer.js';
import { Call, type ScimCall } from './scim-call.js';
import { ScimController } from './scim-controller.decorator.js';
import { ScimMe, ScimOtherMethods } from './scim-routes.decorator.js';
import { ScimService } from './scim.service.js';

/** The authenticated user (RFC 7644 §3.11), read only: users change in their identity provider, not here. */
@ScimController('Me', { tag: 'SCIM users', isOpenToUsers: true })
export class MeController {
  constructor(private readonly scim: ScimService) {}

  @ScimMe()
  get(@Call() call: ScimCall): Promise<ScimAnswer> {
    return this.scim.me(call);
  }

  // RFC 7644 §3.11: what is not supported answers 501.
  @ScimOtherMethods()
  other(): never {
    throw new ScimError(501, undefined, '/Me: users change in their identity provider, here they can only be read');
  }
}
