import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { BindingsController } from './bindings.controller.js';
import { BindingsService } from './bindings.service.js';
import { NamespaceAccess } from './namespace-access.js';

@Module({
  imports: [AuditModule],
  controllers: [BindingsController],
  providers: [BindingsService, NamespaceAccess],
  exports: [NamespaceAccess],
})
export class BindingsModule {}
