import { Module, type DynamicModule } from '@nestjs/common';
import { STATEMENTS, type StatementsByName } from './named-statement.js';
import { QueriesController } from './queries.controller.js';
import { QueriesService } from './queries.service.js';

@Module({})
export class QueriesModule {
  static forRoot(statements: StatementsByName): DynamicModule {
    return {
      module: QueriesModule,
      controllers: [QueriesController],
      providers: [QueriesService, { provide: STATEMENTS, useValue: statements }],
    };
  }
}
