import { Body, Controller, Delete, HttpCode, HttpStatus, Param, Post, UseInterceptors } from '@nestjs/common';
import { ForNamespace } from '@palisade/guards';
import { CurrentCall, type Call } from '../http/call.js';
import { jsonBody } from '../http/bodies.js';
import { QueryBody, type QueryResponse } from './queries.dto.js';
import { QueriesService } from './queries.service.js';

/** Named statements, in PostgreSQL. */
@Controller('v1')
@ForNamespace()
@UseInterceptors(jsonBody)
export class QueriesController {
  constructor(private readonly queries: QueriesService) {}

  @Post('queries/:name')
  @HttpCode(HttpStatus.OK)
  run(@CurrentCall() call: Call, @Param('name') name: string, @Body() { values }: QueryBody): Promise<QueryResponse> {
    return this.queries.run(call, name, values).then(({ rows, rowCount }) => ({ rows, row_count: rowCount }));
  }

  @Post('transaction')
  @HttpCode(HttpStatus.NO_CONTENT)
  begin(@CurrentCall() call: Call): Promise<void> {
    return this.queries.begin(call);
  }

  @Post('transaction/commit')
  @HttpCode(HttpStatus.NO_CONTENT)
  commit(@CurrentCall() call: Call): Promise<void> {
    return this.queries.commit(call);
  }

  @Delete('transaction')
  @HttpCode(HttpStatus.NO_CONTENT)
  rollback(@CurrentCall() call: Call): Promise<void> {
    return this.queries.rollback(call);
  }
}
