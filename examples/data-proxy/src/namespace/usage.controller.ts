import { Controller, Get, Header } from '@nestjs/common';
import { CurrentNamespace, ForNamespace, type NamespaceIdentity } from '@palisade/guards';
import { UsageService } from '@palisade/isolation';
import { toUsageResponse, type UsageResponse } from './usage.mapper.js';

/** What the caller's namespace uses of this proxy; operators see all namespaces at `/metrics`. */
@Controller('v1/usage')
@ForNamespace()
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  get(@CurrentNamespace() { namespace }: NamespaceIdentity): UsageResponse {
    return toUsageResponse(namespace, this.usage.find(namespace));
  }
}
