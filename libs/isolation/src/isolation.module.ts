import { Module } from '@nestjs/common';
import {
  ISOLATION_OPTIONS,
  ISOLATION_SETTINGS,
  IsolationModuleBase,
  type IsolationOptions,
} from './isolation-options.js';
import { IsolationPools } from './isolation-pools.js';
import { IsolationSessions } from './isolation-sessions.js';
import { RequestLimiter } from './limits/request-limiter.js';
import { readModuleSettings } from './settings/module-settings.js';
import type { IsolationSettings } from './settings/isolation-settings.js';

/** Connections to backends, isolated by namespace or by session. Wrong settings stop the start. */
@Module({
  providers: [
    { provide: ISOLATION_SETTINGS, inject: [ISOLATION_OPTIONS], useFactory: readModuleSettings },
    {
      provide: RequestLimiter,
      inject: [ISOLATION_SETTINGS, ISOLATION_OPTIONS],
      useFactory: ({ maxRps }: IsolationSettings, { clock }: IsolationOptions) => new RequestLimiter({ maxRps, clock }),
    },
    IsolationPools,
    IsolationSessions,
  ],
  exports: [IsolationPools, IsolationSessions, RequestLimiter],
})
export class IsolationModule extends IsolationModuleBase {}
