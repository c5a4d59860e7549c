import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { TokenMetrics } from './token-metrics.js';
import { TokensController } from './tokens.controller.js';
import { TokensService } from './tokens.service.js';

@Module({
  imports: [AuthenticationModule],
  controllers: [TokensController],
  providers: [TokensService, TokenMetrics],
  exports: [TokensService],
})
export class TokensModule {}
