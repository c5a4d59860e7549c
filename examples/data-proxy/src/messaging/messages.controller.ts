import {
  Body,
  Controller,
  Get,
  HttpCode,
  HttpStatus,
  Param,
  Post,
  Query,
  Res,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { ForNamespace } from '@palisade/guards';
import type { Response } from 'express';
import { CurrentCall, type Call } from '../http/call.js';
import { RawBodyInterceptor } from '../http/bodies.js';
import { RequestQuery } from './messages.dto.js';
import { MessagesService } from './messages.service.js';

/** Messages by subject, over NATS. */
@Controller('v1')
@ForNamespace()
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Post('messages/:subject')
  @HttpCode(HttpStatus.ACCEPTED)
  @UseInterceptors(RawBodyInterceptor)
  publish(@CurrentCall() call: Call, @Param('subject') subject: string, @Body() data: Buffer): Promise<void> {
    return this.messages.publish(call, subject, data);
  }

  @Post('requests/:subject')
  @HttpCode(HttpStatus.OK)
  @UseInterceptors(RawBodyInterceptor)
  request(
    @CurrentCall() call: Call,
    @Param('subject') subject: string,
    @Query() { timeout_ms: timeoutMs }: RequestQuery,
    @Body() data: Buffer,
  ): Promise<StreamableFile> {
    return this.messages.request(call, subject, data, timeoutMs).then((reply) => new StreamableFile(reply));
  }

  @Get('messages/:subject')
  subscribe(@CurrentCall() call: Call, @Param('subject') subject: string, @Res() response: Response): Promise<void> {
    return this.messages.subscribe(call, subject, response);
  }
}
