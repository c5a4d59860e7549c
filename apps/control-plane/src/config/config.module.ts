import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ControlPlaneConfig } from './control-plane.config.js';

/** The configuration, for every module. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: ControlPlaneConfig): DynamicModule {
    const provider = { provide: ControlPlaneConfig, useValue: config };
    return { module: ConfigModule, providers: [provider], exports: [ControlPlaneConfig] };
  }
}
