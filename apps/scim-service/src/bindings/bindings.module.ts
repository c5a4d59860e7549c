import { Module } from '@nestjs/common';
import { NamespaceAccessModule } from '../admin/namespaces/namespace-access.module.js';
import { BindingsController } from './bindings.controller.js';
import { BindingsService } from './bindings.service.js';

@Module({
  imports: [NamespaceAccessModule],
  controllers: [BindingsController],
  providers: [BindingsService],
  exports: [BindingsService],
})
export class BindingsModule {}
