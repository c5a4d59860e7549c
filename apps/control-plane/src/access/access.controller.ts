import { Get, Query } from '@nestjs/common';
import { adminRoutes } from '@palisade/platform';
import { Admin, type AdminPrincipal } from '@palisade/guards';
import { ROUTING_PROBLEMS } from '../routing/routing.errors.js';
import {
  AccessRouteParameters,
  AccessRouteResponse,
  ReachableNamespacePage,
  ReachableNamespacesParameters,
} from './access.dto.js';
import {
  afterCursor,
  toAccessRouteResponse,
  toReachablePage,
  toRouteQuestion,
  toUserReference,
} from './access.mapper.js';
import { AccessService } from './access.service.js';

const { AdminController, AdminRoute } = adminRoutes(ROUTING_PROBLEMS);

@AdminController('access', 'Access')
export class AccessController {
  constructor(private readonly access: AccessService) {}

  @Get('route')
  @AdminRoute('read', {
    id: 'findRouteOfUser',
    summary: 'May this user reach this namespace, and what serves it?',
    description: 'Unknown and inactive users may do nothing; bindings of groups that do not exist give nothing.',
    answer: AccessRouteResponse,
    problems: ['VALIDATION_FAILED', 'INVALID_REQUEST', 'INVALID_IDENTIFIER', 'NAMESPACE_NOT_FOUND'],
  })
  route(@Admin() admin: AdminPrincipal, @Query() query: AccessRouteParameters): Promise<AccessRouteResponse> {
    const question = toRouteQuestion(query);
    return this.access.route(admin, question).then((answer) => toAccessRouteResponse(question, answer));
  }

  @Get('namespaces')
  @AdminRoute('read', {
    id: 'listNamespacesOfUser',
    summary: 'Which namespaces does this user reach, and through which pools?',
    description: 'Those that the caller administers.',
    answer: ReachableNamespacePage,
    problems: ['VALIDATION_FAILED', 'INVALID_REQUEST', 'INVALID_IDENTIFIER'],
  })
  namespaces(
    @Admin() admin: AdminPrincipal,
    @Query() query: ReachableNamespacesParameters,
  ): Promise<ReachableNamespacePage> {
    const isWanted = afterCursor(query.cursor);
    const found = this.access.namespacesOf(admin, toUserReference(query.user));
    return found.then((namespaces) => toReachablePage(namespaces.filter(isWanted), query.limit));
  }
}
