import type { ServerResponse } from 'node:http';
import { Get, Req, Res } from '@nestjs/common';
import type { ProxyId } from '@palisade/domain';
import {
  AdminOrProxy,
  Authenticator,
  readBearerToken,
  type AdminPrincipal,
  type AuthenticatedRequest,
  type ProxyPrincipal,
} from '@palisade/guards';
import { HeaderParameter, adminRoutes } from '@palisade/platform';
import { ProxyParam } from '../proxies/proxy-param.js';
import { POLICY_PROBLEMS } from './policy.errors.js';
import { readPosition, type PolicyPosition } from './policies.js';
import { PolicyStreams } from './policy-streams.js';

const LastEventId = HeaderParameter(
  'Last-Event-ID',
  'Id of the last event that the proxy has applied.',
  { example: 'the id of an event' },
  readPosition,
);

const { AdminController, ProxyRoute } = adminRoutes(POLICY_PROBLEMS);

@AdminController('proxies', 'Proxies')
export class PolicyController {
  constructor(
    private readonly streams: PolicyStreams,
    private readonly authenticator: Authenticator,
  ) {}

  @Get(':id/policy')
  @ProxyRoute('read', {
    id: 'followPolicy',
    summary: 'Follow the policy of a proxy',
    description:
      'Server-sent events: `policy` with all that the proxy has to enforce, then `change` with each change, and `access` ' +
      'when somebody may have lost access. With `Last-Event-ID` the stream resumes where an earlier one ended. A comment ' +
      'comes every second when there is nothing else.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
    problems: ['PROXY_NOT_FOUND', 'INVALID_IDENTIFIER', 'TOO_MANY_STREAMS'],
  })
  follow(
    @AdminOrProxy() caller: AdminPrincipal | ProxyPrincipal,
    @ProxyParam proxy: ProxyId,
    @LastEventId sent: PolicyPosition | undefined,
    @Req() request: AuthenticatedRequest,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const token = readBearerToken(request.headers.authorization);
    const authenticate = () => this.authenticator.authenticate({ token, api: 'admin' });
    return this.streams.open({ caller, proxy, sent, response, authenticate });
  }
}
