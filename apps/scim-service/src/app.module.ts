import { Module, type DynamicModule } from '@nestjs/common';
import type { Store } from '@palisade/domain';
import { LogModule, PlatformModule, StorePreparation, type Tracing } from '@palisade/platform';
import { AccessModule } from './access/access.module.js';
import { AuthenticationModule } from './authentication/authentication.module.js';
import { BindingsModule } from './bindings/bindings.module.js';
import { ConfigModule } from './config/config.module.js';
import type { ScimServiceConfig } from './config/scim-service.config.js';
import { DeprovisioningModule } from './deprovisioning/deprovisioning.module.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { ProvidersModule } from './providers/providers.module.js';
import { ScimModule } from './scim/scim.module.js';
import { StoreModule } from './store.module.js';

@Module({})
export class AppModule {
  static forRoot(config: ScimServiceConfig, store: Store, tracing?: Tracing): DynamicModule {
    const { managementListen, shutdownDelayMs, shutdownGraceMs } = config;
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        StoreModule.forRoot(store),
        PlatformModule.forRootAsync({
          inject: [StorePreparation],
          useFactory: (preparation: StorePreparation) => ({
            readiness: { store: () => preparation.check() },
            notices: () => preparation.notices(),
            managementListen,
            shutdownDelayMs,
            shutdownGraceMs,
            onGraceEnd: () => preparation.abandon(),
            tracing,
          }),
        }),
        AuthenticationModule,
        ProvidersModule,
        OAuthModule,
        BindingsModule,
        DeprovisioningModule,
        AccessModule,
        LogModule,
        ...(config.isScimEnabled ? [ScimModule] : []),
      ],
    };
  }
}
