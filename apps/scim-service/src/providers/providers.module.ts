import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { ProvidersController } from './providers.controller.js';
import { ProvidersService } from './providers.service.js';
import { TokenMetrics } from './token-metrics.js';
import { TokensController } from './tokens.controller.js';
import { TokensService } from './tokens.service.js';

@Module({
  imports: [AuthenticationModule],
  controllers: [ProvidersController, TokensController],
  providers: [ProvidersService, TokensService, TokenMetrics],
})
export class ProvidersModule {}
