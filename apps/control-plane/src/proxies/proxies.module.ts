import { Module } from '@nestjs/common';
import { ProxiesController } from './proxies.controller.js';
import { ProxiesService } from './proxies.service.js';

@Module({ controllers: [ProxiesController], providers: [ProxiesService], exports: [ProxiesService] })
export class ProxiesModule {}
