import { Module } from '@nestjs/common';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';
import { Subscriptions } from './subscriptions.js';

@Module({ controllers: [MessagesController], providers: [MessagesService, Subscriptions] })
export class MessagesModule {}
