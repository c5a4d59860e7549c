import { Module } from '@nestjs/common';
import { RegistryModule } from '../routing/table/registry.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { PoolsController } from './pools.controller.js';
import { PoolsService } from './pools.service.js';
import { SizingController } from './sizing.controller.js';
import { SizingService } from './sizing.service.js';

@Module({
  imports: [RegistryModule, UsageModule],
  controllers: [PoolsController, SizingController],
  providers: [PoolsService, SizingService],
})
export class PoolsModule {}
