import { Module } from '@nestjs/common';
import { RefusalListener } from '@palisade/guards';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';
import { DeniedAttemptsRecorder } from './denied-attempts.recorder.js';

@Module({
  controllers: [AuditController],
  providers: [AuditService, DeniedAttemptsRecorder, { provide: RefusalListener, useExisting: DeniedAttemptsRecorder }],
  exports: [DeniedAttemptsRecorder, RefusalListener],
})
export class AuditModule {}
