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

@ScimController('Users', { tag: 'SCIM users' })
export class UsersController {
  constructor(private readonly scim: ScimService) {}

  @ScimList('User')
  list(@Call() call: ScimCall): Promise<ScimAnswer> {
    return this.scim.list('User', call);
  }

  @ScimCreate('User')
  create(@Call() call: ScimCall, @Body() body: unknown): Promise<ScimAnswer> {
    return this.scim.create('User', call, body);
  }

  @ScimSearch('User')
  search(@Call() call: ScimCall, @Body() body: unknown): Promise<ScimAnswer> {
    return this.scim.search('User', call, body);
  }

  @ScimGet('User')
  get(@Call() call: ScimCall, @Param('id') id: string): Promise<ScimAnswer> {
    return this.scim.get('User', call, id);
  }

  @ScimReplace('User')
  replace(@Call() call: ScimCall, @Param('id') id: string, @Body() body: unknown): Promise<ScimAnswer> {
    return this.scim.replace('User', call, id, body);
  }

  @ScimPatch('User')
  patch(@Call() call: ScimCall, @Param('id') id: string, @Body() body: unknown): Promise<ScimAnswer> {
    return this.scim.patch('User', call, id, body);
  }

  @ScimDelete('User')
  delete(@Call() call: ScimCall, @Param('id') id: string): Promise<ScimAnswer> {
    return this.scim.delete('User', call, id);
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
