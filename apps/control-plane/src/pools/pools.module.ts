import { Module } from '@nestjs/common';
import { RegistryModule } from '../routing/table/registry.module.js';
import { PoolsController } from './pools.controller.js';
import { PoolsService } from './pools.service.js';
import { SizingController } from './sizing.controller.js';

@Module({ imports: [RegistryModule], controllers: [PoolsController, SizingController], providers: [PoolsService] })
export class PoolsModule {}
