import type { AuthenticatedRequest } from './authenticated-request.js';

/** The route's template, `/api/v1/tenants/:tenant_id`: paths hold names of people, and queries hold more. */
export function routeOf({ route, baseUrl }: AuthenticatedRequest): string {
  const path: unknown = (route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? `${baseUrl}${path}` : 'unknown';
}
