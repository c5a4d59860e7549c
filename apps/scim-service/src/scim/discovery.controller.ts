import { Param } from '@nestjs/common';
import { ScimGetConfig, ScimGetDocument, ScimListDocuments } from './discovery-routes.decorator.js';
import { DiscoveryService } from './discovery.service.js';
import type { ScimAnswer } from './scim-answer.js';
import { Call, type ScimCall } from './scim-call.js';
import { ScimController } from './scim-controller.decorator.js';
import { MethodNotAllowedError } from './scim-error-answer.js';
import { ScimOtherMethods } from './scim-routes.decorator.js';

/** What this service provider can do (RFC 7644 §4). */
@ScimController('', { tag: 'SCIM discovery', isOpenToUsers: true })
export class DiscoveryController {
  constructor(private readonly discovery: DiscoveryService) {}

  @ScimGetConfig()
  getConfig(@Call() call: ScimCall): ScimAnswer {
    return this.discovery.getConfig(call);
  }

  @ScimListDocuments('ResourceTypes')
  listResourceTypes(@Call() call: ScimCall): Promise<ScimAnswer> {
    return this.discovery.list('ResourceTypes', call);
  }

  @ScimGetDocument('ResourceTypes')
  getResourceType(@Call() call: ScimCall, @Param('id') id: string): Promise<ScimAnswer> {
    return this.discovery.get('ResourceTypes', call, id);
  }

  @ScimListDocuments('Schemas')
  listSchemas(@Call() call: ScimCall): Promise<ScimAnswer> {
    return this.discovery.list('Schemas', call);
  }

  @ScimGetDocument('Schemas')
  getSchema(@Call() call: ScimCall, @Param('id') id: string): Promise<ScimAnswer> {
    return this.discovery.get('Schemas', call, id);
  }

  @ScimOtherMethods(['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/:id', 'Schemas', 'Schemas/:id'])
  other(): never {
    throw new MethodNotAllowedError('GET, HEAD');
  }
}
