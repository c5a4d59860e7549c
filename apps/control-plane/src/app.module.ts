import { Module, type DynamicModule } from '@nestjs/common';
import { PlatformModule } from '@palisade/platform';
import { AuthenticationModule } from './authentication/authentication.module.js';
import { ConfigModule } from './config/config.module.js';
import type { ControlPlaneConfig } from './config/control-plane.config.js';

@Module({ imports: [AuthenticationModule] })
export class AppModule {
  static forRoot(config: ControlPlaneConfig): DynamicModule {
    const { shutdownDelayMs, shutdownGraceMs } = config;
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        PlatformModule.forRoot({ readiness: {}, shutdownDelayMs, shutdownGraceMs }),
      ],
    };
  }
}
