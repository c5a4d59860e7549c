import { Body, Param } from '@nestjs/common';
import type { ScimAnswer } from './scim-answer.js';
import { Call, type ScimCall } from './scim-call.js';
import { refuseMethod } from './refuse-method.js';
import { ScimController } from './scim-controller.decorator.js';
import {
  ScimCreate,
  ScimDelete,
  ScimGet,
  ScimList,
  ScimPatch,
  ScimRefuseOthers,
  ScimReplace,
  ScimSearch,
} from './scim-routes.decorator.js';
import { ScimService } from './scim.service.js';

@ScimController('Groups', { tag: 'SCIM groups' })
export class GroupsController {
  constructor(private readonly scim: ScimService) {}

  @ScimList('Group')
  list(@Call() call: ScimCall): Promise<ScimAnswer> {
    return this.scim.list('Group', call);
  }

  @ScimCreate('Group')
  create(@Call() call: ScimCall, @Body() body: unknown): Promise<ScimAnswer> {
    return this.scim.create('Group', call, body);
  }

  @ScimSearch('Group')
  search(@Call() call: ScimCall, @Body() body: unknown): Promise<ScimAnswer> {
    return this.scim.search('Group', call, body);
  }

  @ScimGet('Group')
  get(@Call() call: ScimCall, @Param('id') id: string): Promise<ScimAnswer> {
    return this.scim.get('Group', call, id);
  }

  @ScimReplace('Group')
  replace(@Call() call: ScimCall, @Param('id') id: string, @Body() body: unknown): Promise<ScimAnswer> {
    return this.scim.replace('Group', call, id, body);
  }

  @ScimPatch('Group')
  patch(@Call() call: ScimCall, @Param('id') id: string, @Body() body: unknown): Promise<ScimAnswer> {
    return this.scim.patch('Group', call, id, body);
  }

  @ScimDelete('Group')
  delete(@Call() call: ScimCall, @Param('id') id: string): Promise<ScimAnswer> {
    return this.scim.delete('Group', call, id);
  }

  @ScimRefuseOthers()
  refuseOnCollection(): never {
    return refuseMethod('GET, POST');
  }

  @ScimRefuseOthers(':id')
  refuseOnResource(): never {
    return refuseMethod('GET, PUT, PATCH, DELETE');
  }
}
