import { Module } from '@nestjs/common';
import { SizingController } from './sizing.controller.js';

@Module({ controllers: [SizingController] })
export class SizingModule {}
