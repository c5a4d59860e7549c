import { Module } from '@nestjs/common';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { StatusController } from './status.controller.js';
import { StatusService } from './status.service.js';

@Module({ imports: [LeadershipModule], controllers: [StatusController], providers: [StatusService] })
export class StatusModule {}
