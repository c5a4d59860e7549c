import { Module, type DynamicModule } from '@nestjs/common';
import { Registration } from './registration.js';

/** Keeps the control plane informed for as long as the app runs. */
@Module({})
export class RegistrationModule {
  static forRoot(registration: Registration): DynamicModule {
    return { module: RegistrationModule, providers: [{ provide: Registration, useValue: registration }] };
  }
}
