import { Controller, Get, Header } from '@nestjs/common';
import { ForNamespace } from '@palisade/guards';
import { Isolation, UsageService } from '@palisade/isolation';
import { CurrentCall, type Call } from '../http/call.js';
import { toUsageResponse, type UsageResponse } from './usage.mapper.js';

/** What the caller's namespace uses of this proxy; operators see all namespaces at `/metrics`. */
@Controller('v1/usage')
@ForNamespace()
export class UsageController {
  constructor(
    private readonly usage: UsageService,
    private readonly isolation: Isolation,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  get(@CurrentCall() { caller }: Call): Promise<UsageResponse> {
    return this.isolation
      .authorize(caller)
      .then(() => toUsageResponse(caller.namespace, this.usage.find(caller.namespace)));
  }
}
