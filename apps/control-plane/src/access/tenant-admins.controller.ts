import { Get, Query } from '@nestjs/common';
import type { TenantId } from '@palisade/domain';
import { Admin, type AdminPrincipal } from '@palisade/guards';
import { PageParameters, adminRoutes } from '@palisade/platform';
import { TenantParam } from '../tenants/tenants.dto.js';
import { TENANT_PROBLEMS } from '../tenants/tenants.errors.js';
import { TenantAdminPage } from './access.dto.js';
import { toAdminsPosition, toTenantAdminPage } from './access.mapper.js';
import { TenantAdmins } from './tenant-admins.js';

const { AdminController, AdminRoute } = adminRoutes(TENANT_PROBLEMS);

@AdminController('tenants', 'Access')
export class TenantAdminsController {
  constructor(private readonly admins: TenantAdmins) {}

  @Get(':tenant_id/admins')
  @AdminRoute('read', {
    id: 'listTenantAdmins',
    summary: 'Who administers the namespaces of a tenant?',
    description:
      'Active users with the relation `admin` on a namespace that the tenant has by its name. A page may have fewer items than asked for, or none, and still a `next_cursor`.',
    answer: TenantAdminPage,
    problems: ['VALIDATION_FAILED', 'INVALID_REQUEST', 'INVALID_IDENTIFIER', 'TENANT_NOT_FOUND'],
  })
  list(
    @Admin() admin: AdminPrincipal,
    @TenantParam id: TenantId,
    @Query() query: PageParameters,
  ): Promise<TenantAdminPage> {
    return this.admins.list(admin, id, query.limit, toAdminsPosition(query.cursor)).then(toTenantAdminPage);
  }
}
