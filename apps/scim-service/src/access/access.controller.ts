import { adminRoutes } from '@palisade/platform';
import { Get, Query } from '@nestjs/common';
import type { NamespaceId } from '@palisade/domain';
import { Admin, type AdminPrincipal } from '@palisade/guards';
import { BINDING_PROBLEMS } from '../bindings/bindings.errors.js';
import { NamespaceParam, UserParam } from '../path-parameters.js';
import {
  CheckParameters,
  CheckResponse,
  NamespaceUserPage,
  NamespaceUsersParameters,
  ProviderOfUser,
  UserGrantsResponse,
} from './access.dto.js';
import {
  toAccessQuestion,
  toCheckResponse,
  toNamespaceUserPage,
  toNamespaceUserQuery,
  toUserGrantsResponse,
  toUserReference,
} from './access.mapper.js';
import { AccessService } from './access.service.js';

const { AdminController, AdminRoute } = adminRoutes(BINDING_PROBLEMS);

@AdminController('access', 'Access')
export class AccessController {
  constructor(private readonly access: AccessService) {}

  @Get('check')
  @AdminRoute('read', {
    id: 'checkAccess',
    summary: 'May this user do this in this namespace, and why?',
    description: 'Unknown and inactive users may do nothing; bindings of groups that do not exist give nothing.',
    answer: CheckResponse,
    problems: ['NAMESPACE_NOT_FOUND'],
  })
  check(@Admin() admin: AdminPrincipal, @Query() query: CheckParameters): Promise<CheckResponse> {
    return this.access.check(admin, toAccessQuestion(query)).then(toCheckResponse);
  }

  @Get('users/:user')
  @AdminRoute('read', {
    id: 'listGrantsOfUser',
    summary: 'What may this user do, and why?',
    description: 'In the namespaces that the caller administers.',
    answer: UserGrantsResponse,
  })
  grantsOf(
    @Admin() admin: AdminPrincipal,
    @UserParam('user', 'user:scim:default:ada') user: string,
    @Query() { provider }: ProviderOfUser,
  ): Promise<UserGrantsResponse> {
    return this.access.grantsOf(admin, toUserReference(user, provider)).then(toUserGrantsResponse);
  }

  @Get('namespaces/:namespace/users')
  @AdminRoute('read', {
    id: 'listUsersOfNamespace',
    summary: 'Who may do this in this namespace?',
    description: 'Active users of every provider, each with their strongest relation, in order of id.',
    answer: NamespaceUserPage,
    problems: ['NAMESPACE_NOT_FOUND'],
  })
  usersOf(
    @Admin() admin: AdminPrincipal,
    @NamespaceParam('namespace', 'orders') namespace: NamespaceId,
    @Query() query: NamespaceUsersParameters,
  ): Promise<NamespaceUserPage> {
    const found = this.access.usersOf(admin, toNamespaceUserQuery(namespace, query));
    return found.then((users) => toNamespaceUserPage(users, query.limit));
  }
}
