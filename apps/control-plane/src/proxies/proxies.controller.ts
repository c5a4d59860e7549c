import { Body, Delete, Get, HttpStatus, Patch, Post, Query } from '@nestjs/common';
import type { ChangeContext, ProxyId } from '@palisade/domain';
import { AdminOrProxy, type AdminPrincipal, type ProxyPrincipal } from '@palisade/guards';
import { Change, type Answer, adminRoutes } from '@palisade/platform';
import { Registry } from '../routing/table/registry.js';
import { ProxyParam } from './proxy-param.js';
import { PROXY_PROBLEMS } from './proxies.errors.js';
import {
  AdjustProxyBody,
  ProxyList,
  ProxyResponse,
  RegisteredProxyResponse,
  RegisterProxyBody,
  RemoveProxyParameters,
  ADJUST_PROXY_EXAMPLES,
  REGISTER_PROXY_EXAMPLES,
} from './proxies.dto.js';
import { HEARTBEAT_EXAMPLES, HeartbeatBody } from './heartbeat.dto.js';
import { ProxiesService } from './proxies.service.js';
import {
  toAdjustment,
  toProxyDraft,
  toProxyResponse,
  toRegisteredProxyResponse,
  toRegistrationAnswer,
} from './proxy.mapper.js';

const REQUEST_PROBLEMS = ['VALIDATION_FAILED', 'INVALID_JSON', 'INVALID_IDENTIFIER'] as const;

const { AdminController, FullAdminRoute, ProxyRoute } = adminRoutes(PROXY_PROBLEMS);

@AdminController('proxies', 'Proxies')
export class ProxiesController {
  constructor(
    private readonly proxies: ProxiesService,
    private readonly registry: Registry,
  ) {}

  @Post()
  @ProxyRoute('operate', {
    id: 'registerProxy',
    summary: 'Register a proxy',
    description:
      'What a proxy does when it starts. It gets requests once its first health check succeeds. One that is known is updated.',
    body: { type: RegisterProxyBody, examples: REGISTER_PROXY_EXAMPLES },
    status: HttpStatus.CREATED,
    answer: RegisteredProxyResponse,
    also: { 200: 'The proxy was known already' },
    problems: [...REQUEST_PROBLEMS, 'UNKNOWN_POOL', 'MANAGED_ELSEWHERE', 'PROXY_TAKEN', 'TOO_MANY_PROXIES'],
  })
  register(
    @AdminOrProxy() caller: AdminPrincipal | ProxyPrincipal,
    @Body() body: RegisterProxyBody,
    @Change() change: ChangeContext,
  ): Promise<Answer<RegisteredProxyResponse>> {
    return this.proxies
      .register(caller, ...toProxyDraft(body), change)
      .then((result) => toRegistrationAnswer(result, this.wanted));
  }

  @Post(':id/heartbeat')
  @ProxyRoute('operate', {
    id: 'sendHeartbeat',
    summary: 'Send a heartbeat',
    description: 'A registered proxy that stays silent gets no requests, and is forgotten later. 404: register again.',
    body: { type: HeartbeatBody, examples: HEARTBEAT_EXAMPLES, isOptional: true },
    answer: RegisteredProxyResponse,
    problems: ['VALIDATION_FAILED', 'INVALID_JSON', 'PROXY_NOT_FOUND'],
  })
  heartbeat(
    @AdminOrProxy() caller: AdminPrincipal | ProxyPrincipal,
    @ProxyParam id: ProxyId,
    @Body() body: HeartbeatBody,
  ): Promise<RegisteredProxyResponse> {
    return this.proxies.heartbeat(caller, id, body).then((duties) => toRegisteredProxyResponse(duties, this.wanted));
  }

  @Get()
  @FullAdminRoute('read', { id: 'listProxies', summary: 'List proxies', answer: ProxyList })
  list(): Promise<ProxyList> {
    return this.proxies
      .list()
      .then((proxies) => ({ items: proxies.map((proxy) => toProxyResponse(proxy, this.wanted)) }));
  }

  @Get(':id')
  @ProxyRoute('read', {
    id: 'getProxy',
    summary: 'Show a proxy',
    answer: ProxyResponse,
    problems: ['PROXY_NOT_FOUND'],
  })
  get(@AdminOrProxy() caller: AdminPrincipal | ProxyPrincipal, @ProxyParam id: ProxyId): Promise<ProxyResponse> {
    return this.proxies.getOwn(caller, id).then((proxy) => toProxyResponse(proxy, this.wanted));
  }

  @Patch(':id')
  @FullAdminRoute('operate', {
    id: 'adjustProxy',
    summary: 'Drain a proxy, or change its weight',
    description: 'For any proxy. A proxy that registers again replaces both values.',
    body: { type: AdjustProxyBody, examples: ADJUST_PROXY_EXAMPLES },
    answer: ProxyResponse,
    problems: [...REQUEST_PROBLEMS, 'PROXY_NOT_FOUND'],
  })
  adjust(
    @ProxyParam id: ProxyId,
    @Body() body: AdjustProxyBody,
    @Change() change: ChangeContext,
  ): Promise<ProxyResponse> {
    return this.proxies.adjust(id, toAdjustment(body), change).then((proxy) => toProxyResponse(proxy, this.wanted));
  }

  @Delete(':id')
  @ProxyRoute('operate', {
    id: 'removeProxy',
    summary: 'Remove a registered proxy',
    description:
      'What a proxy does when it ends. A discovered proxy disappears when discovery no longer finds it. Its parts of caps are free when their leases end, or at once with `connections=closed`.',
    problems: ['VALIDATION_FAILED', 'PROXY_NOT_FOUND', 'MANAGED_ELSEWHERE'],
  })
  remove(
    @AdminOrProxy() caller: AdminPrincipal | ProxyPrincipal,
    @ProxyParam id: ProxyId,
    @Query() { connections }: RemoveProxyParameters,
    @Change() change: ChangeContext,
  ): Promise<void> {
    return this.proxies.remove(caller, id, change, connections === 'closed');
  }

  /** The revision that proxies should enforce. */
  private get wanted(): number {
    return this.registry.table.revision;
  }
}
