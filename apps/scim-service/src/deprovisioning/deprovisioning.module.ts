import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { DeprovisioningController } from './deprovisioning.controller.js';
import { DeprovisioningService } from './deprovisioning.service.js';

@Module({
  imports: [AuthenticationModule],
  controllers: [DeprovisioningController],
  providers: [DeprovisioningService],
  exports: [DeprovisioningService],
})
export class DeprovisioningModule {}
