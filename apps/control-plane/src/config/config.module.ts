import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ControlPlaneSettings } from './control-plane-settings.js';
import { ControlPlaneConfig } from './control-plane.config.js';

/** What the environment and the configuration file say, for every module. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: ControlPlaneConfig): DynamicModule {
    const providers = [
      { provide: ControlPlaneConfig, useValue: config },
      { provide: ControlPlaneSettings, useValue: config.settings },
    ];
    return { module: ConfigModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
