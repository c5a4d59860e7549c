import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { OAuthController } from './oauth.controller.js';
import { OAuthService } from './oauth.service.js';
import { readForm } from './token-request.js';

@Module({ imports: [AuthenticationModule], controllers: [OAuthController], providers: [OAuthService] })
export class OAuthModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(readForm).forRoutes({ path: 'oauth/token', method: RequestMethod.POST });
  }
}
