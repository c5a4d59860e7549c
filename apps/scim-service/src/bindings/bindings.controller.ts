import { Body, Delete, Get, HttpStatus, Post, Query } from '@nestjs/common';
import type { ChangeContext } from '@palisade/domain';
import { Admin, type AdminPrincipal } from '@palisade/guards';
import { Change, adminRoutes, type Answer } from '@palisade/platform';
import { toAddedBinding, toBindingKey, toBindingPage, toBindingRequest, toBindingSearch } from './binding.mapper.js';
import {
  ADD_BINDING_EXAMPLES,
  AddBindingBody,
  BindingPage,
  ListBindingsParameters,
  ListedBindingResponse,
  RemoveBindingParameters,
} from './bindings.dto.js';
import { BINDING_PROBLEMS } from './bindings.errors.js';
import { BindingsService } from './bindings.service.js';

const { AdminController, AdminRoute } = adminRoutes(BINDING_PROBLEMS);

@AdminController('bindings', 'Bindings')
export class BindingsController {
  constructor(private readonly bindings: BindingsService) {}

  @Post()
  @AdminRoute('operate', {
    id: 'addBinding',
    summary: 'Bind a group to a namespace',
    description:
      'Its active members, those of groups nested in it too, then have the relation. The caller is who approved it. ' +
      'A suspended binding is replaced: adding it again confirms it.',
    body: { type: AddBindingBody, examples: ADD_BINDING_EXAMPLES },
    status: HttpStatus.CREATED,
    answer: ListedBindingResponse,
    also: { 200: 'The identical binding existed already; nothing was changed' },
    problems: [
      'VALIDATION_FAILED',
      'INVALID_JSON',
      'INVALID_REQUEST',
      'INVALID_IDENTIFIER',
      'UNKNOWN_SUBJECT',
      'NAMESPACE_NOT_FOUND',
      'BINDING_CONFLICT',
    ],
  })
  add(
    @Admin() admin: AdminPrincipal,
    @Body() body: AddBindingBody,
    @Change() change: ChangeContext,
  ): Promise<Answer<ListedBindingResponse>> {
    return this.bindings.add(admin, toBindingRequest(body), change).then(toAddedBinding);
  }

  @Get()
  @AdminRoute('read', {
    id: 'listBindings',
    summary: 'List bindings',
    description: 'Of the namespaces that the caller administers, in order of namespace, group and relation.',
    answer: BindingPage,
    problems: ['NAMESPACE_NOT_FOUND'],
  })
  list(@Admin() admin: AdminPrincipal, @Query() query: ListBindingsParameters): Promise<BindingPage> {
    return this.bindings.list(admin, toBindingSearch(query)).then((found) => toBindingPage(found, query.limit));
  }

  @Delete()
  @AdminRoute('operate', {
    id: 'removeBinding',
    summary: 'Remove a binding',
    problems: ['NAMESPACE_NOT_FOUND', 'BINDING_NOT_FOUND'],
  })
  remove(
    @Admin() admin: AdminPrincipal,
    @Query() key: RemoveBindingParameters,
    @Change() change: ChangeContext,
  ): Promise<void> {
    return this.bindings.remove(admin, toBindingKey(key), change);
  }
}
