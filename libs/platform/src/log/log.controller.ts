import { Get, Query } from '@nestjs/common';
import { Admin, type AdminPrincipal } from '@palisade/guards';
import { adminRoutes } from '../rest/admin-routes.js';
import {
  FollowLogParameters,
  ListLogParameters,
  LogPage,
  LogSealResponse,
  LogVerificationResponse,
  VerifyLogParameters,
  toLogPage,
  toLogQuery,
  toSealResponse,
  toVerificationResponse,
} from './log.dto.js';
import { LogSeals } from './log-seals.js';
import { LogVerification } from './log-verification.js';
import { LogService } from './log.service.js';
import { ClientGone } from '../rest/request.decorators.js';

const { AdminController, AdminRoute, FullAdminRoute } = adminRoutes({});

@AdminController('log', 'Log')
export class LogController {
  constructor(
    private readonly log: LogService,
    private readonly seals: LogSeals,
    private readonly verification: LogVerification,
  ) {}

  @Get()
  @AdminRoute('read', {
    id: 'listLogRecords',
    summary: 'Read the log, forward or backward',
    description:
      'Records appear as soon as they are sealed, usually within a second. Admins of some namespaces see what happened ' +
      'in those.',
    answer: LogPage,
  })
  list(@Admin() admin: AdminPrincipal, @Query() query: ListLogParameters): Promise<LogPage> {
    return this.log.list(admin, toLogQuery(query)).then((slice) => toLogPage(slice, query.order));
  }

  @Get('follow')
  @AdminRoute('read', {
    id: 'followLog',
    summary: 'Wait for new records',
    description:
      'Answers as soon as there are records after `after`, or with none after 20 seconds: ask again with `next_after`. An ' +
      'answer without records that comes at once means that too many wait already: pause before asking again.',
    answer: LogPage,
  })
  follow(
    @Admin() admin: AdminPrincipal,
    @Query() query: FollowLogParameters,
    @ClientGone() signal: AbortSignal,
  ): Promise<LogPage> {
    return this.log.follow(admin, toLogQuery(query), signal).then((slice) => toLogPage(slice));
  }

  @Get('seal')
  @FullAdminRoute('read', {
    id: 'getLogSeal',
    summary: 'Get a signed seal of the log',
    description: 'Keep it outside: it shows later whether anything before was changed, or the end was cut off.',
    answer: LogSealResponse,
  })
  async seal(): Promise<LogSealResponse> {
    return toSealResponse(await this.seals.current(), await this.seals.publicKey());
  }

  @Get('verify')
  @FullAdminRoute('admin', {
    id: 'verifyLog',
    summary: 'Verify that no record was changed, removed or inserted',
    description:
      'Computes the hash of every record and compares it with what the log says of it. Takes about a second for 30,000 ' +
      'records. A log that was written again as a whole, or whose end was cut off, shows in the comparison with a seal ' +
      'that was kept, or with the export.',
    answer: LogVerificationResponse,
  })
  verify(@Query() { kept }: VerifyLogParameters): Promise<LogVerificationResponse> {
    return this.verification.verify(kept).then(toVerificationResponse);
  }
}
