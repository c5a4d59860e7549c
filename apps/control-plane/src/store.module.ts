import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { StoreMetrics, StorePreparation } from '@palisade/platform';

/** The store, for every module; prepared after the start, closed last. */
@Global()
@Module({})
export class StoreModule {
  static forRoot(store: Store): DynamicModule {
    return {
      module: StoreModule,
      providers: [
        { provide: Store, useValue: store },
        StoreMetrics,
        { provide: StorePreparation, useFactory: () => new StorePreparation(store) },
      ],
      exports: [Store, StorePreparation],
    };
  }
}
