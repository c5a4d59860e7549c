import { Module } from '@nestjs/common';
import { NamespaceAccessModule } from '../admin/namespaces/namespace-access.module.js';
import { AccessController } from './access.controller.js';
import { AccessService } from './access.service.js';

@Module({
  imports: [NamespaceAccessModule],
  controllers: [AccessController],
  providers: [AccessService],
  exports: [AccessService],
})
export class AccessModule {}
