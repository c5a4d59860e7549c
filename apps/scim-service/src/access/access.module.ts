import { Module } from '@nestjs/common';
import { BindingsModule } from '../bindings/bindings.module.js';
import { AccessController } from './access.controller.js';
import { AccessService } from './access.service.js';
import { RelationshipsController } from './relationships.controller.js';
import { RelationshipsService } from './relationships.service.js';

@Module({
  imports: [BindingsModule],
  controllers: [AccessController, RelationshipsController],
  providers: [AccessService, RelationshipsService],
})
export class AccessModule {}
