import { Global, Module } from '@nestjs/common';
import { DenialListener } from '@palisade/guards';
import { DeniedAttempts } from './denied-attempts.js';
import { LogFollower } from './log-follower.js';
import { LogMetrics } from './log-metrics.js';
import { LogSealer } from './log-sealer.js';
import { LogSeals } from './log-seals.js';
import { LogVerification } from './log-verification.js';
import { LogController } from './log.controller.js';
import { LogService } from './log.service.js';

/** The log: its routes, its sealer, and the recorder of denied attempts. Needs the store from a global module. */
@Global()
@Module({
  controllers: [LogController],
  providers: [
    DeniedAttempts,
    { provide: DenialListener, useExisting: DeniedAttempts },
    LogFollower,
    LogMetrics,
    LogSealer,
    LogSeals,
    LogService,
    LogVerification,
  ],
  exports: [DeniedAttempts, LogSeals, DenialListener],
})
export class LogModule {}
