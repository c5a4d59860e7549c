import { Injectable, Optional, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ForbiddenError, UnauthenticatedError } from '../authentication.errors.js';
import { DenialListener, type Denial } from '../denial-listener.js';
import { RouteAccessOf } from '../route-access.js';
import { NamespaceAmbiguousError, NamespaceNotFoundError, NamespaceUnauthenticatedError } from './namespace.errors.js';
import { NamespaceAuthenticator } from './namespace-authenticator.js';
import type { NamespaceRequest } from './namespace.decorators.js';

/**
 * Denies by default: a route with `@ForNamespace()` is reached by callers whose credentials are of the namespace that the
 * request is for, one with `@Public()` by everybody, any other by nobody. Provide it as `APP_GUARD`, together with a
 * {@link NamespaceAuthenticator}.
 */
@Injectable()
export class NamespaceGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: NamespaceAuthenticator,
    @Optional() private readonly denials?: DenialListener,
  ) {}

  /** @throws what {@link NamespaceAuthenticator.authenticate} does, and {@link ForbiddenError}, instead of returning false */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride(RouteAccessOf, [context.getHandler(), context.getClass()]);
    if (access?.kind === 'public') {
      return true;
    }
    const request = context.switchToHttp().getRequest<NamespaceRequest>();
    try {
      const identity = await this.authenticator.authenticate(request);
      if (access?.kind !== 'namespace') {
        throw new ForbiddenError('this route is closed');
      }
      request.namespaceIdentity = identity;
    } catch (error) {
      if (isDenial(error)) {
        this.denials?.denied(error, request);
      }
      throw error;
    }
    return true;
  }
}

function isDenial(error: unknown): error is Denial {
  return (
    error instanceof UnauthenticatedError ||
    error instanceof NamespaceUnauthenticatedError ||
    error instanceof NamespaceNotFoundError ||
    error instanceof NamespaceAmbiguousError ||
    error instanceof ForbiddenError
  );
}
