import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { NamespaceAuthenticator, NamespaceGuard } from '@palisade/guards';

/** Guards every route of the app: whoever gets through is known, with their namespace. */
@Module({})
export class IdentityModule {
  static forRoot(authenticator: NamespaceAuthenticator): DynamicModule {
    return {
      module: IdentityModule,
      providers: [
        { provide: NamespaceAuthenticator, useValue: authenticator },
        { provide: APP_GUARD, useClass: NamespaceGuard },
      ],
    };
  }
}
