import type { Request } from 'express';
import type { Principal } from './principal.js';

/** A request that went through {@link BearerTokenGuard}; without a principal on public routes. */
export interface AuthenticatedRequest extends Request {
  principal?: Principal;
}
