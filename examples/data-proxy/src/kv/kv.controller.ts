import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  HttpStatus,
  Param,
  Put,
  Query,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { ForNamespace } from '@palisade/guards';
import { CurrentCall, type Call } from '../http/call.js';
import { RawBodyInterceptor } from '../http/bodies.js';
import { PutValueQuery } from './kv.dto.js';
import { KvService } from './kv.service.js';

/** Values by key, in Redis. */
@Controller('v1/kv')
@ForNamespace()
export class KvController {
  constructor(private readonly kv: KvService) {}

  @Get(':key')
  @Header('Cache-Control', 'no-store')
  get(@CurrentCall() call: Call, @Param('key') key: string): Promise<StreamableFile> {
    return this.kv.get(call, key).then((value) => new StreamableFile(value));
  }

  @Put(':key')
  @HttpCode(HttpStatus.NO_CONTENT)
  @UseInterceptors(RawBodyInterceptor)
  put(
    @CurrentCall() call: Call,
    @Param('key') key: string,
    @Query() { ttl_ms: ttlMs }: PutValueQuery,
    @Body() value: Buffer,
  ): Promise<void> {
    return this.kv.put(call, key, value, ttlMs);
  }

  @Delete(':key')
  @HttpCode(HttpStatus.NO_CONTENT)
  delete(@CurrentCall() call: Call, @Param('key') key: string): Promise<void> {
    return this.kv.delete(call, key);
  }
}
