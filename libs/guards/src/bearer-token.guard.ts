import { Injectable, Optional, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Api, type AuthenticatedRequest, holdsScope, type Principal } from './principal.js';
import { Authenticator } from './authenticator.js';
import { readBearerToken } from './bearer-header.js';
import { ForbiddenError, UnauthenticatedError } from './authentication.errors.js';
import { DenialListener } from './denial-listener.js';
import { RouteAccessOf, type RouteAccess } from './route-access.js';

/**
 * Denies by default: only callers that a route's decorator admits reach the route, and nobody reaches a route without a
 * decorator. Provide it as `APP_GUARD`, together with an {@link Authenticator}.
 */
@Injectable()
export class BearerTokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    @Optional() private readonly denials?: DenialListener,
  ) {}

  /** @throws {UnauthenticatedError} {@link ForbiddenError} instead of returning false */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const access = demanded(
      this.reflector.getAllAndOverride(RouteAccessOf, [context.getHandler(), context.getClass()]),
      request,
    );
    if (access?.kind === 'public') {
      return true;
    }
    try {
      await this.admit(request, access);
    } catch (error) {
      if (error instanceof UnauthenticatedError || error instanceof ForbiddenError) {
        this.denials?.denied(error, request);
      }
      throw error;
    }
    return true;
  }

  private async admit(request: AuthenticatedRequest, access: RouteAccess | undefined): Promise<void> {
    requireOneHeader(request);
    const token = readBearerToken(request.headers.authorization);
    if (access === undefined || access.kind === 'public' || access.kind === 'namespace') {
      throw new ForbiddenError('this route is closed');
    }
    request.principal = await this.authenticator.authenticate({ token, api: access.kind });
    requireAdmission(request.principal, access);
  }
}

/** A public route that tells admins more is a route for admins to whoever sends a credential. */
function demanded(access: RouteAccess | undefined, { headers }: AuthenticatedRequest): RouteAccess | undefined {
  return access?.kind === 'public' && access.scope !== undefined && headers.authorization !== undefined
    ? { kind: 'admin', scope: access.scope, everyNamespace: true }
    : access;
}

// RFC 9110 §5.3: a sender "MUST NOT generate" such a header twice. Node keeps the first; a proxy before it may have judged
// the other one.
function requireOneHeader({ headersDistinct }: AuthenticatedRequest): void {
  if ((headersDistinct?.authorization?.length ?? 0) > 1) {
    throw new UnauthenticatedError('malformed');
  }
}

function requireAdmission(principal: Principal, access: Extract<RouteAccess, { kind: Api }>): void {
  if (access.kind === 'scim') {
    if (principal.kind === 'admin' || principal.kind === 'proxy') {
      throw new UnauthenticatedError('invalid');
    }
    if (principal.kind === 'user' && !access.admitsUsers) {
      throw new ForbiddenError('a user may only use /Me and the discovery endpoints');
    }
    return;
  }
  if (principal.kind === 'proxy') {
    if (!access.admitsProxies) {
      throw new ForbiddenError('a proxy may only register, send heartbeats, read and remove itself');
    }
    return;
  }
  if (principal.kind !== 'admin') {
    throw new UnauthenticatedError('invalid');
  }
  if (!holdsScope(principal, access.scope)) {
    throw new ForbiddenError(`this operation needs the scope "${access.scope}"`, access.scope);
  }
  if (access.everyNamespace && principal.namespaces !== '*') {
    throw new ForbiddenError('this operation needs an admin of every namespace');
  }
}
