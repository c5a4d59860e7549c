import { Module } from '@nestjs/common';
import { RefusalListener } from '@palisade/guards';
import { DeniedAttemptsRecorder } from './denied-attempts.recorder.js';

@Module({
  providers: [DeniedAttemptsRecorder, { provide: RefusalListener, useExisting: DeniedAttemptsRecorder }],
  exports: [DeniedAttemptsRecorder, RefusalListener],
})
export class RefusalsModule {}
