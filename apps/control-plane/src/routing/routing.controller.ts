import { Body, Get, HttpStatus, Post, Query } from '@nestjs/common';
import { adminRoutes } from '@palisade/platform';
import { parseNamespaceId } from '@palisade/domain';
import { Admin, type AdminPrincipal } from '@palisade/guards';
import { ROUTING_PROBLEMS } from './routing.errors.js';
import { ExplainBody, ExplainResponse, ResolveParameters, ResolveResponse, EXPLAIN_EXAMPLES } from './routing.dto.js';
import { toExplainResponse, toQuestion, toResolveResponse } from './routing.mapper.js';
import { RoutingService } from './routing.service.js';

const { AdminController, AdminRoute } = adminRoutes(ROUTING_PROBLEMS);

@AdminController('routing', 'Routing')
export class RoutingController {
  constructor(private readonly routing: RoutingService) {}

  @Get('resolve')
  @AdminRoute('read', {
    id: 'resolveNamespace',
    summary: 'Where a namespace goes',
    answer: ResolveResponse,
    problems: ['NAMESPACE_NOT_FOUND', 'NO_ROUTE'],
  })
  resolve(@Admin() admin: AdminPrincipal, @Query() query: ResolveParameters): Promise<ResolveResponse> {
    const namespace = parseNamespaceId(query.namespace);
    return this.routing.resolve(admin, namespace).then((route) => toResolveResponse(namespace, route));
  }

  @Post('explain')
  @AdminRoute('read', {
    id: 'explainRoute',
    summary: 'Why a namespace or a tenant goes where it goes',
    description: 'Changes nothing. Admins of some namespaces may ask about those, without saying anything of a tenant.',
    body: { type: ExplainBody, examples: EXPLAIN_EXAMPLES },
    status: HttpStatus.OK,
    answer: ExplainResponse,
    problems: ['NAMESPACE_NOT_FOUND'],
  })
  explain(@Admin() admin: AdminPrincipal, @Body() body: ExplainBody): Promise<ExplainResponse> {
    return this.routing.explain(admin, toQuestion(body)).then(toExplainResponse);
  }
}
