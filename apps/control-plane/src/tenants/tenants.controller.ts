import { Body, Delete, Get, HttpStatus, Post, Put, Query } from '@nestjs/common';
import type { ChangeContext, TenantId } from '@palisade/domain';
import { Admin, type AdminPrincipal } from '@palisade/guards';
import { Change, type Answer, adminRoutes } from '@palisade/platform';
import { TENANT_PROBLEMS } from './tenants.errors.js';
import { IfMatch, type VersionCondition } from './tenant-versions.js';
import {
  toRegistration,
  toRegistrationAnswer,
  toReplacement,
  toTenantAnswer,
  toTenantPage,
  toTenantSearch,
} from './tenant.mapper.js';
import {
  ListTenantsParameters,
  REGISTER_TENANT_EXAMPLES,
  REPLACE_TENANT_EXAMPLES,
  RegisterTenantBody,
  ReplaceTenantBody,
  TenantPage,
  TenantParam,
  TenantResponse,
} from './tenants.dto.js';
import { TenantsService } from './tenants.service.js';

const PLACEMENT_PROBLEMS = [
  'UNKNOWN_POOL',
  'POOL_REQUIRED',
  'NAMESPACE_OVERLAP',
  'TOO_MANY_PATTERNS',
  'SINGLE_TENANT',
] as const;
const REQUEST_PROBLEMS = ['VALIDATION_FAILED', 'INVALID_JSON', 'INVALID_REQUEST', 'INVALID_IDENTIFIER'] as const;

const { AdminController, AdminRoute, FullAdminRoute } = adminRoutes(TENANT_PROBLEMS);

@AdminController('tenants', 'Tenants')
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

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
  register(@Body() body: RegisterTenantBody, @Change() change: ChangeContext): Promise<Answer<TenantResponse>> {
    return this.tenants.register(...toRegistration(body), change).then(toRegistrationAnswer);
  }

  @Get()
  @AdminRoute('read', {
    id: 'listTenants',
    summary: 'List tenants',
    description: 'Admins of some namespaces see tenants of which they administer every namespace.',
    answer: TenantPage,
  })
  list(@Admin() admin: AdminPrincipal, @Query() query: ListTenantsParameters): Promise<TenantPage> {
    return this.tenants.list(admin, toTenantSearch(query)).then((views) => toTenantPage(views, query.limit));
  }

  @Get(':tenant_id')
  @AdminRoute('read', {
    id: 'getTenant',
    summary: 'Show a tenant and where its requests go',
    answer: TenantResponse,
    problems: ['TENANT_NOT_FOUND'],
  })
  get(@Admin() admin: AdminPrincipal, @TenantParam id: TenantId): Promise<Answer<TenantResponse>> {
    return this.tenants.get(admin, id).then(toTenantAnswer);
  }

  @Put(':tenant_id')
  @FullAdminRoute('admin', {
    id: 'replaceTenant',
    summary: 'Replace all that is said of a tenant',
    description:
      'With another pool, the tenant moves: `draining` tells for how long the pool that it leaves may be busy. What only answers have is ignored.',
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
  replace(
    @TenantParam id: TenantId,
    @Body() body: ReplaceTenantBody,
    @IfMatch condition: VersionCondition | undefined,
    @Change() change: ChangeContext,
  ): Promise<Answer<TenantResponse>> {
    return this.tenants.replace(id, toReplacement(id, body), change, condition).then(toTenantAnswer);
  }

  @Delete(':tenant_id')
  @FullAdminRoute('admin', {
    id: 'removeTenant',
    summary: 'Remove a tenant',
    description: 'Its namespaces are then routed as if it had never existed.',
    problems: ['TENANT_NOT_FOUND', 'MANAGED_ELSEWHERE', 'SINGLE_TENANT', 'PRECONDITION_FAILED'],
  })
  remove(
    @TenantParam id: TenantId,
    @IfMatch condition: VersionCondition | undefined,
    @Change() change: ChangeContext,
  ): Promise<void> {
    return this.tenants.remove(id, change, condition);
  }
}
