import { Body, Delete, Get, Headers, HttpStatus, Post, Put, Query, Res } from '@nestjs/common';
import { parseTenantId, type ChangeContext, type TenantId } from '@palisade/domain';
import { Admin, type AdminPrincipal } from '@palisade/guards';
import { Change } from '@palisade/platform';
import { ApiHeader } from '@nestjs/swagger';
import type { Response } from 'express';
import { TenantParam } from '../api/path-parameters.js';
import { AdminController, AdminRoute, FullAdminRoute } from '../api/routes.js';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { tenantEtag, readIfMatch } from './tenant-versions.js';
import { requireSameId, toTenantDraft, toTenantPage, toTenantResponse, toTenantSearch } from './tenant.mapper.js';
import { type TenantView, TenantsService } from './tenants.service.js';
import {
  ListTenantsParameters,
  RegisterTenantBody,
  ReplaceTenantBody,
  TenantPage,
  TenantResponse,
  REGISTER_TENANT_EXAMPLES,
  REPLACE_TENANT_EXAMPLES,
} from './tenants.dto.js';

const IF_MATCH = {
  name: 'If-Match',
  description: 'ETag of the tenant that is to be changed; another version is left alone.',
  required: false,
  schema: { type: 'string', examples: ['"1-Xy0aVb3kQ9TzLm2c"'] },
};
const PLACEMENT_PROBLEMS = [
  'UNKNOWN_POOL',
  'POOL_REQUIRED',
  'NAMESPACE_OVERLAP',
  'TOO_MANY_PATTERNS',
  'SINGLE_TENANT',
] as const;
const REQUEST_PROBLEMS = ['VALIDATION_FAILED', 'INVALID_JSON', 'INVALID_REQUEST', 'INVALID_IDENTIFIER'] as const;

@AdminController('tenants', 'Tenants')
export class TenantsController {
  constructor(
    private readonly tenants: TenantsService,
    private readonly settings: ControlPlaneSettings,
  ) {}

  @Post()
  @FullAdminRoute('admin', {
    id: 'registerTenant',
    summary: 'Register a tenant',
    description:
      'Its namespaces are then routed as `routing` says. What the body omits is decided by rules, pools and defaults.',
    body: { type: RegisterTenantBody, examples: REGISTER_TENANT_EXAMPLES },
    status: HttpStatus.CREATED,
    answer: TenantResponse,
    also: { 200: 'The identical tenant is registered already; nothing was changed' },
    problems: [...REQUEST_PROBLEMS, ...PLACEMENT_PROBLEMS, 'TENANT_CONFLICT'],
  })
  async register(
    @Body() body: RegisterTenantBody,
    @Change() change: ChangeContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TenantResponse> {
    const { registered, view } = await this.tenants.register(
      parseTenantId(body.tenant_id),
      toTenantDraft(body),
      change,
    );
    response.status(registered ? HttpStatus.CREATED : HttpStatus.OK);
    response.location(`/api/v1/tenants/${view.id}`);
    return this.present(view, response);
  }

  @Get()
  @AdminRoute('read', {
    id: 'listTenants',
    summary: 'List tenants',
    description: 'Admins of some namespaces see tenants of which they administer every namespace.',
    answer: TenantPage,
  })
  list(@Admin() admin: AdminPrincipal, @Query() query: ListTenantsParameters): Promise<TenantPage> {
    const { model } = this.settings.deployment;
    return this.tenants.list(admin, toTenantSearch(query)).then((views) => toTenantPage(views, query.limit, model));
  }

  @Get(':tenant_id')
  @AdminRoute('read', {
    id: 'getTenant',
    summary: 'Show a tenant and where its requests go',
    answer: TenantResponse,
    problems: ['TENANT_NOT_FOUND'],
  })
  async get(
    @Admin() admin: AdminPrincipal,
    @TenantParam() id: TenantId,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TenantResponse> {
    return this.present(await this.tenants.get(admin, id), response);
  }

  @Put(':tenant_id')
  @ApiHeader(IF_MATCH)
  @FullAdminRoute('admin', {
    id: 'replaceTenant',
    summary: 'Replace all that is said of a tenant',
    description:
      'With another pool, the tenant moves: `draining` tells for how long the pool that it leaves may be busy.',
    body: { type: ReplaceTenantBody, examples: REPLACE_TENANT_EXAMPLES },
    answer: TenantResponse,
    problems: [
      ...REQUEST_PROBLEMS,
      ...PLACEMENT_PROBLEMS,
      'TENANT_NOT_FOUND',
      'MANAGED_ELSEWHERE',
      'PRECONDITION_FAILED',
    ],
  })
  async replace(
    @TenantParam() id: TenantId,
    @Body() body: ReplaceTenantBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Change() change: ChangeContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TenantResponse> {
    requireSameId(id, body);
    return this.present(await this.tenants.replace(id, toTenantDraft(body), change, readIfMatch(ifMatch)), response);
  }

  @Delete(':tenant_id')
  @ApiHeader(IF_MATCH)
  @FullAdminRoute('admin', {
    id: 'removeTenant',
    summary: 'Remove a tenant',
    description: 'Its namespaces are then routed as if it had never been.',
    problems: ['TENANT_NOT_FOUND', 'MANAGED_ELSEWHERE', 'SINGLE_TENANT', 'PRECONDITION_FAILED'],
  })
  remove(
    @TenantParam() id: TenantId,
    @Headers('if-match') ifMatch: string | undefined,
    @Change() change: ChangeContext,
  ): Promise<void> {
    return this.tenants.remove(id, change, readIfMatch(ifMatch));
  }

  private present(view: TenantView, response: Response): TenantResponse {
    const body = toTenantResponse(view, this.settings.deployment.model);
    const etag = tenantEtag(body);
    if (etag !== undefined) {
      response.setHeader('ETag', etag);
    }
    return body;
  }
}
