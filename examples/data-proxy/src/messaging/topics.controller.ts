import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  HttpStatus,
  Param,
  Post,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import { ForNamespace } from '@palisade/guards';
import { CurrentCall, type Call } from '../http/call.js';
import { jsonBody } from '../http/bodies.js';
import { toConsumeResponse, toProduceResponse } from './topic.mapper.js';
import { ConsumeQuery, ProduceBody, type ConsumeResponse, type ProduceResponse } from './topics.dto.js';
import { TopicsService } from './topics.service.js';

/** Records by topic, in Kafka. */
@Controller('v1/topics')
@ForNamespace()
@UseInterceptors(jsonBody)
export class TopicsController {
  constructor(private readonly topics: TopicsService) {}

  @Post(':topic')
  @HttpCode(HttpStatus.OK)
  produce(
    @CurrentCall() call: Call,
    @Param('topic') topic: string,
    @Body() { records }: ProduceBody,
  ): Promise<ProduceResponse> {
    return this.topics.produce(call, topic, records).then(toProduceResponse);
  }

  @Get(':topic')
  @Header('Cache-Control', 'no-store')
  consume(
    @CurrentCall() call: Call,
    @Param('topic') topic: string,
    @Query() query: ConsumeQuery,
  ): Promise<ConsumeResponse> {
    return this.topics.consume(call, topic, query).then(toConsumeResponse);
  }
}
