import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { readForm } from './read-form.js';
import { OAuthController } from './oauth.controller.js';
import { OAuthService } from './oauth.service.js';

@Module({ imports: [AuditModule, AuthenticationModule], controllers: [OAuthController], providers: [OAuthService] })
export class OAuthModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(readForm).forRoutes({ path: 'oauth/token', method: RequestMethod.POST });
  }
}
