import { adminRoutes } from '@palisade/platform';
import { Get, Query } from '@nestjs/common';
import { Admin, type AdminPrincipal } from '@palisade/guards';
import { AuditPage, AuditQueryParameters } from './audit.dto.js';
import { toAuditPage } from './audit.mapper.js';
import { AuditService } from './audit.service.js';

const { AdminController, AdminRoute } = adminRoutes({});

@AdminController('audit', 'Audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @AdminRoute('read', {
    id: 'listAuditEvents',
    summary: 'Read on in the audit trail',
    description: 'Admins of some namespaces see what happened in those.',
    answer: AuditPage,
  })
  list(@Admin() admin: AdminPrincipal, @Query() query: AuditQueryParameters): Promise<AuditPage> {
    return this.audit.list(admin, query).then((events) => toAuditPage(events, query));
  }
}
