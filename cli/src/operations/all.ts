import { ACCESS, BINDINGS } from './bindings.js';
import { GROUPS, USERS } from './directory.js';
import { AUDIT, LOG } from './log.js';
import type { DocumentedOperation, OperationGroup } from './documented-operation.js';
import { PROVIDERS, RECONCILE, TOKENS } from './providers.js';
import { LOAD_BALANCER, POOLS, PROXIES, STATUS, USAGE } from './proxies.js';
import { ROUTES, SIZING, TENANTS } from './tenants.js';

/** Commands with subcommands. */
export const OPERATION_GROUPS: readonly OperationGroup[] = [
  PROVIDERS,
  TOKENS,
  USERS,
  GROUPS,
  BINDINGS,
  ACCESS,
  TENANTS,
  ROUTES,
  POOLS,
  PROXIES,
  LOAD_BALANCER,
  LOG,
];

/** Commands without subcommands. */
export const SINGLE_OPERATIONS: readonly DocumentedOperation[] = [AUDIT, RECONCILE, SIZING, STATUS, USAGE];
