import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { NamespaceAccess } from './namespace-access.js';

@Module({ imports: [AuditModule], providers: [NamespaceAccess], exports: [NamespaceAccess] })
export class NamespaceAccessModule {}
