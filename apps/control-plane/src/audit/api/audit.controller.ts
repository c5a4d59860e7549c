import { Get, Query } from '@nestjs/common';
import { adminRoutes } from '@palisade/platform';
import { Admin, type AdminPrincipal } from '@palisade/guards';
import { AuditPage, AuditQueryParameters, ChainVerificationResponse } from './audit.dto.js';
import { toActionQuery, toAuditPage, toChainVerificationResponse } from './audit.mapper.js';
import { AuditService } from './audit.service.js';

const { AdminController, AdminRoute, FullAdminRoute } = adminRoutes({});

@AdminController('audit', 'Audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @AdminRoute('read', {
    id: 'listActionRecords',
    summary: 'Read on in the audit trail',
    description: 'Admins of some namespaces see what happened in those.',
    answer: AuditPage,
    problems: ['VALIDATION_FAILED'],
  })
  list(@Admin() admin: AdminPrincipal, @Query() query: AuditQueryParameters): Promise<AuditPage> {
    return this.audit.list(admin, toActionQuery(query)).then((records) => toAuditPage(records, query));
  }

  @Get('verify')
  @FullAdminRoute('admin', {
    id: 'verifyActionRecords',
    summary: 'Verify that no record was changed, removed or inserted',
    description:
      'Computes the hash of every record anew and compares it with what the next one says of it. Takes about a second ' +
      'for 30,000 records. That somebody has written all of them anew shows only in the comparison with the export.',
    answer: ChainVerificationResponse,
  })
  verify(): Promise<ChainVerificationResponse> {
    return this.audit.verify().then(toChainVerificationResponse);
  }
}
