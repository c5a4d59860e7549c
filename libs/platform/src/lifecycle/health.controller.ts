import { Controller, Get, Header, HttpStatus, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@palisade/guards';
import type { Response } from 'express';
import { Readiness, type ReadinessReport } from './readiness.js';

const RETRY_AFTER_SECONDS = 1;

@ApiExcludeController()
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process answers, so restarting it would not help. */
  @Get('live')
  @Header('Cache-Control', 'no-store')
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  /** Whether a load balancer should send requests here. */
  @Get('ready')
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadinessReport> {
    const report = await this.readiness.report();
    if (report.status !== 'ok') {
      response.status(HttpStatus.SERVICE_UNAVAILABLE).setHeader('Retry-After', RETRY_AFTER_SECONDS);
    }
    return report;
  }
}
