import { Module } from '@nestjs/common';
import { BindingsController } from './bindings.controller.js';
import { BindingsService } from './bindings.service.js';
import { NamespaceAccess } from './namespace-access.js';

@Module({
  controllers: [BindingsController],
  providers: [BindingsService, NamespaceAccess],
  exports: [NamespaceAccess],
})
export class BindingsModule {}
