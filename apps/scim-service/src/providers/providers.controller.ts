import { Body, Delete, Get, HttpStatus, Post, Put, Query } from '@nestjs/common';
import type { ChangeContext, ProviderId } from '@palisade/domain';
import { Change, PageParameters, toPage, adminRoutes } from '@palisade/platform';
import { ProviderParam } from '../path-parameters.js';
import { toProviderDraft, toProviderResponse, toReplacement } from './provider.mapper.js';
import {
  CREATE_PROVIDER_EXAMPLES,
  CreateProviderBody,
  ProviderPage,
  ProviderResponse,
  REPLACE_PROVIDER_EXAMPLES,
  ReplaceProviderBody,
} from './providers.dto.js';
import { PROVIDER_PROBLEMS } from './providers.errors.js';
import { ProvidersService } from './providers.service.js';

const { AdminController, FullAdminRoute } = adminRoutes(PROVIDER_PROBLEMS);

@AdminController('providers', 'Providers')
export class ProvidersController {
  constructor(private readonly providers: ProvidersService) {}

  @Post()
  @FullAdminRoute('admin', {
    id: 'createProvider',
    summary: 'Register an identity provider',
    description: 'What is absent from the body gets its default. Then issue a token for it.',
    body: { type: CreateProviderBody, examples: CREATE_PROVIDER_EXAMPLES },
    status: HttpStatus.CREATED,
    answer: ProviderResponse,
    problems: ['PROVIDER_EXISTS'],
  })
  create(@Body() body: CreateProviderBody, @Change() change: ChangeContext): Promise<ProviderResponse> {
    return this.providers.create(body.id, toProviderDraft(body), change).then(toProviderResponse);
  }

  @Get()
  @FullAdminRoute('read', { id: 'listProviders', summary: 'List identity providers', answer: ProviderPage })
  list(@Query() query: PageParameters): Promise<ProviderPage> {
    return this.providers.list(query).then((found) => toPage(found, query.limit, ({ id }) => [id], toProviderResponse));
  }

  @Get(':id')
  @FullAdminRoute('read', {
    id: 'getProvider',
    summary: 'Show a provider',
    answer: ProviderResponse,
    problems: ['PROVIDER_NOT_FOUND'],
  })
  get(@ProviderParam('id', 'acme-entra') id: ProviderId): Promise<ProviderResponse> {
    return this.providers.get(id).then(toProviderResponse);
  }

  @Put(':id')
  @FullAdminRoute('admin', {
    id: 'replaceProvider',
    summary: "Replace a provider's settings",
    description: 'What is absent from the body gets its default; what only answers have is ignored.',
    body: { type: ReplaceProviderBody, examples: REPLACE_PROVIDER_EXAMPLES },
    answer: ProviderResponse,
    problems: ['PROVIDER_NOT_FOUND'],
  })
  replace(
    @ProviderParam('id', 'acme-entra') id: ProviderId,
    @Body() body: ReplaceProviderBody,
    @Change() change: ChangeContext,
  ): Promise<ProviderResponse> {
    return this.providers.replace(id, toReplacement(id, body), change).then(toProviderResponse);
  }

  @Delete(':id')
  @FullAdminRoute('admin', {
    id: 'deleteProvider',
    summary: 'Remove a provider with its tokens, users, groups and memberships',
    description:
      'Bindings of its groups are suspended: each grants nothing until it is added again, even if a provider of this id is registered later.',
    problems: ['PROVIDER_NOT_FOUND'],
  })
  delete(@ProviderParam('id', 'acme-entra') id: ProviderId, @Change() change: ChangeContext): Promise<void> {
    return this.providers.delete(id, change);
  }
}
