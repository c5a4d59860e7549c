import { Body, Param, type Type } from '@nestjs/common';
import type { ResourceType } from '@palisade/domain';
import type { ScimAnswer } from './scim-answer.js';
import { Call, type ScimCall } from './scim-call.js';
import { ScimController } from './scim-controller.decorator.js';
import { MethodNotAllowedError } from './scim-error-answer.js';
import {
  ScimCreate,
  ScimDelete,
  ScimGet,
  ScimList,
  ScimOtherMethods,
  ScimPatch,
  ScimReplace,
  ScimSearch,
} from './scim-routes.decorator.js';
import { ScimService } from './scim.service.js';

export const UsersController = resourceController('User', 'Users');
export const GroupsController = resourceController('Group', 'Groups');

/** The routes of one resource type (RFC 7644 §3.2, table 2). */
function resourceController(type: ResourceType, path: 'Users' | 'Groups'): Type {
  @ScimController(path, { tag: type === 'User' ? 'SCIM users' : 'SCIM groups' })
  class ResourceController {
    constructor(private readonly scim: ScimService) {}

    @ScimList(type)
    list(@Call() call: ScimCall): Promise<ScimAnswer> {
      return this.scim.list(type, call);
    }

    @ScimCreate(type)
    create(@Call() call: ScimCall, @Body() body: unknown): Promise<ScimAnswer> {
      return this.scim.create(type, call, body);
    }

    @ScimSearch(type)
    search(@Call() call: ScimCall, @Body() body: unknown): Promise<ScimAnswer> {
      return this.scim.search(type, call, body);
    }

    @ScimOtherMethods('.search')
    otherOnSearch(): never {
      throw new MethodNotAllowedError('POST');
    }

    @ScimGet(type)
    get(@Call() call: ScimCall, @Param('id') id: string): Promise<ScimAnswer> {
      return this.scim.get(type, call, id);
    }

    @ScimReplace(type)
    replace(@Call() call: ScimCall, @Param('id') id: string, @Body() body: unknown): Promise<ScimAnswer> {
      return this.scim.replace(type, call, id, body);
    }

    @ScimPatch(type)
    patch(@Call() call: ScimCall, @Param('id') id: string, @Body() body: unknown): Promise<ScimAnswer> {
      return this.scim.patch(type, call, id, body);
    }

    @ScimDelete(type)
    delete(@Call() call: ScimCall, @Param('id') id: string): Promise<ScimAnswer> {
      return this.scim.delete(type, call, id);
    }

    @ScimOtherMethods()
    otherOnCollection(): never {
      throw new MethodNotAllowedError('GET, HEAD, POST');
    }

    @ScimOtherMethods(':id')
    otherOnResource(): never {
      throw new MethodNotAllowedError('GET, HEAD, PUT, PATCH, DELETE');
    }
  }
  return ResourceController;
}
