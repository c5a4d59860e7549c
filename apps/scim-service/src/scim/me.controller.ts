import type { ScimAnswer } from './scim-answer.js';
import { Call, type ScimCall } from './scim-call.js';
import { ScimController } from './scim-controller.decorator.js';
import { MethodNotAllowedError } from './scim-error-answer.js';
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

  @ScimOtherMethods()
  other(): never {
    throw new MethodNotAllowedError('GET');
  }
}
