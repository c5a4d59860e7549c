import { Body, Post } from '@nestjs/common';
import type { ProxyId } from '@palisade/domain';
import { AdminOrProxy, type AdminPrincipal, type ProxyPrincipal } from '@palisade/guards';
import { adminRoutes } from '@palisade/platform';
import { PROXY_PROBLEMS } from '../proxies/proxies.errors.js';
import { ProxyParam } from '../proxies/proxy-param.js';
import { ACCESS_QUESTION_EXAMPLES, AccessQuestionsBody, ProxyAccessList } from './proxy-access.dto.js';
import { toProxyQuestion } from './proxy-access.mapper.js';
import { ProxyAccessService } from './proxy-access.service.js';

const { AdminController, ProxyRoute } = adminRoutes(PROXY_PROBLEMS);

@AdminController('proxies', 'Proxies')
export class ProxyAccessController {
  constructor(private readonly access: ProxyAccessService) {}

  @Post(':id/access')
  @ProxyRoute('read', {
    id: 'askAccess',
    summary: 'May these users do this in these namespaces?',
    description:
      'What a proxy asks before it serves a user, once for each; the event `access` of its policy stream tells it when to ask again.',
    body: { type: AccessQuestionsBody, examples: ACCESS_QUESTION_EXAMPLES },
    answer: ProxyAccessList,
    problems: ['VALIDATION_FAILED', 'INVALID_JSON', 'INVALID_REQUEST', 'INVALID_IDENTIFIER', 'PROXY_NOT_FOUND'],
  })
  ask(
    @AdminOrProxy() caller: AdminPrincipal | ProxyPrincipal,
    @ProxyParam id: ProxyId,
    @Body() { questions }: AccessQuestionsBody,
  ): Promise<ProxyAccessList> {
    return this.access
      .answer(caller, id, questions.map(toProxyQuestion))
      .then((answers) => ({ answers }) as ProxyAccessList);
  }
}
