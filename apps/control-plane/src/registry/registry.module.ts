import { Module } from '@nestjs/common';
import { RoutingTableModule } from '../routing/table/routing-table.module.js';
import { Registry } from './registry.js';

@Module({ imports: [RoutingTableModule], providers: [Registry], exports: [Registry] })
export class RegistryModule {}
