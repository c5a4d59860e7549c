import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { StoreMetrics, StorePreparation } from '@palisade/platform';
import { AuthenticationModule } from './authentication/authentication.module.js';
import { ConfiguredProvider } from './authentication/configured-provider.js';

/** The store, for every module; prepared after the start, the configured provider with it, and closed last. */
@Global()
@Module({})
export class StoreModule {
  static forRoot(store: Store): DynamicModule {
    const prepare = (configured: ConfiguredProvider): StorePreparation =>
      new StorePreparation(store, () => configured.ensure());
    return {
      module: StoreModule,
      imports: [AuthenticationModule],
      providers: [
        { provide: Store, useValue: store },
        StoreMetrics,
        { provide: StorePreparation, inject: [ConfiguredProvider], useFactory: prepare },
      ],
      exports: [Store, StorePreparation],
    };
  }
}
