import { Module } from '@nestjs/common';
import { ControlPlaneSettings } from '../../config/control-plane-settings.js';
import { RoutingTable } from './routing-table.js';

const ROUTING_TABLE = {
  provide: RoutingTable,
  inject: [ControlPlaneSettings],
  useFactory: (settings: ControlPlaneSettings) => new RoutingTable(settings),
};

@Module({ providers: [ROUTING_TABLE], exports: [RoutingTable] })
export class RoutingTableModule {}
