import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import {
  CurrentNamespace,
  ForNamespace,
  NamespaceAuthenticator,
  NamespaceGuard,
  type NamespaceIdentity,
} from '@palisade/guards';

@Controller('whoami')
@ForNamespace()
export class WhoAmIController {
  @Get()
  whoAmI(@CurrentNamespace() caller: NamespaceIdentity): NamespaceIdentity {
    return caller;
  }
}

@Module({
  controllers: [WhoAmIController],
  providers: [
    { provide: APP_GUARD, useClass: NamespaceGuard },
    {
      provide: NamespaceAuthenticator,
      useFactory: () =>
        new NamespaceAuthenticator({
          certificates: { spiffeIds: ['spiffe://prod.example.com/ns/{namespace}/sa/{client}'] },
          tokens: {
            issuer: 'https://idp.example.com',
            audience: 'data-proxy',
            jwksUri: 'https://idp.example.com/.well-known/jwks.json',
          },
        }),
    },
  ],
})
export class ProxyModule {}
