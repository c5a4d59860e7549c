import { Module } from '@nestjs/common';
import { RegistryModule } from '../registry/registry.module.js';
import { PoolsController } from './pools.controller.js';
import { PoolsService } from './pools.service.js';

@Module({ imports: [RegistryModule], controllers: [PoolsController], providers: [PoolsService] })
export class PoolsModule {}
