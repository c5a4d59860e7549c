import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AuthenticationConfig } from '../authentication/authentication.config.js';
import { ScimServiceConfig } from './scim-service.config.js';

/** The configuration, for every module. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: ScimServiceConfig): DynamicModule {
    const providers = [
      { provide: ScimServiceConfig, useValue: config },
      { provide: AuthenticationConfig, useExisting: ScimServiceConfig },
    ];
    return { module: ConfigModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
