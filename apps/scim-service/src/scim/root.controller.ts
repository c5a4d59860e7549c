import { Body } from '@nestjs/common';
import { ClientGone } from '@palisade/platform';
import type { ScimAnswer } from './scim-answer.js';
import { Call, type ScimCall } from './scim-call.js';
import { ScimController } from './scim-controller.decorator.js';
import { MethodNotAllowedError } from './scim-error-answer.js';
import { ScimBulk, ScimList, ScimOtherMethods, ScimSearch } from './scim-routes.decorator.js';
import { ScimService } from './scim.service.js';

/** Queries and bulk operations over all resource types. */
@ScimController('', { tag: 'SCIM queries and bulk' })
export class RootController {
  constructor(private readonly scim: ScimService) {}

  @ScimList('all')
  list(@Call() call: ScimCall): Promise<ScimAnswer> {
    return this.scim.listAll(call);
  }

  @ScimSearch('all')
  search(@Call() call: ScimCall, @Body() body: unknown): Promise<ScimAnswer> {
    return this.scim.search(undefined, call, body);
  }

  @ScimBulk()
  bulk(@Call() call: ScimCall, @Body() body: unknown, @ClientGone() signal: AbortSignal): Promise<ScimAnswer> {
    return this.scim.bulk(call, body, signal);
  }

  @ScimOtherMethods()
  otherOnRoot(): never {
    throw new MethodNotAllowedError('GET, HEAD');
  }

  @ScimOtherMethods(['.search', 'Bulk'])
  otherOnOperation(): never {
    throw new MethodNotAllowedError('POST');
  }
}
