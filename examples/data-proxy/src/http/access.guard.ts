import { SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { parseResourceId, type Relation } from '@palisade/domain';
import type { NamespaceIdentity, NamespaceRequest } from '@palisade/guards';
import { AccessDeniedError, type AccessDemand } from '@palisade/isolation';

const NEEDED = 'data-proxy:needed-relation';

/** What a user needs for a route; by default `read` for GET, and `write` for all others. */
export const Needs = (relation: Relation): MethodDecorator & ClassDecorator => SetMetadata(NEEDED, relation);

/** A request whose caller is a user who has to be allowed something by the control plane. */
export interface CallRequest extends NamespaceRequest {
  accessDemand?: AccessDemand;
}

/**
 * Finds out who has to be allowed what, for the isolation library to ask. Tokens are of users; an API key is when its user is
 * one of the directory. Whoever else has a key or a certificate is a service, and needs no more than that.
 */
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly provider: string,
  ) {}

  /** @throws {AccessDeniedError} when a token names no user */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallRequest & { readonly method: string }>();
    const identity = request.namespaceIdentity;
    if (identity !== undefined && isUser(identity)) {
      const needed = this.reflector.getAllAndOverride<Relation | undefined>(NEEDED, [
        context.getHandler(),
        context.getClass(),
      ]);
      const relation = needed ?? (request.method === 'GET' ? 'read' : 'write');
      request.accessDemand = { ...this.#userOf(identity, relation), relation };
    }
    return true;
  }

  #userOf({ userId, clientId, namespace }: NamespaceIdentity, relation: Relation): Omit<AccessDemand, 'relation'> {
    if (userId === undefined) {
      throw new AccessDeniedError(clientId, namespace, relation, 'the token names no user');
    }
    const { provider } = this;
    return { user: userId, ...(!isFullId(userId) && { provider }) };
  }
}

function isUser({ method, userId }: NamespaceIdentity): boolean {
  return method === 'jwt' || (userId !== undefined && (method === 'certificate' || isFullId(userId)));
}

function isFullId(user: string): boolean {
  return parseResourceId(user)?.type === 'User';
}
