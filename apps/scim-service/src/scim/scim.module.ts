import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { DiscoveryController } from './discovery.controller.js';
import { DiscoveryService } from './discovery.service.js';
import { LargeReads } from './large-reads.js';
import { MeController } from './me.controller.js';
import { GroupsController, UsersController } from './resource.controllers.js';
import { RootController } from './root.controller.js';
import { ScimServers } from './scim-servers.js';
import { ScimService } from './scim.service.js';

@Module({
  imports: [AuthenticationModule],
  controllers: [UsersController, GroupsController, MeController, DiscoveryController, RootController],
  providers: [ScimService, ScimServers, DiscoveryService, LargeReads],
})
export class ScimModule {}
