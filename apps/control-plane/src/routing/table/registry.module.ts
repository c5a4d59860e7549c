import { Module } from '@nestjs/common';
import { ControlPlaneSettings } from '../../config/control-plane-settings.js';
import { Registry } from './registry.js';
import { RoutingTable } from './routing-table.js';

const ROUTING_TABLE = {
  provide: RoutingTable,
  inject: [ControlPlaneSettings],
  useFactory: (settings: ControlPlaneSettings) => new RoutingTable(settings),
};

/** The routing table, kept as the store has the tenants. */
@Module({ providers: [ROUTING_TABLE, Registry], exports: [Registry] })
export class RegistryModule {}
