import type { Findings } from '../findings.js';
import type { FileRoute } from '../routing-file.js';
import type { ControlPlaneFile } from '../schema/control-plane-file.js';
import { checkCompliance } from './compliance.js';
import { checkDeployment } from './deployment.js';
import { checkIsolation } from './isolation.js';
import { checkBackends, checkDiscovery, checkHealth, checkLoadBalancer } from './operations.js';
import { checkDefaultPool, checkNamespaceRouting, checkPools } from './pools.js';
import { checkTenantRouting } from './tenant-routing.js';

/**
 * Finds what cannot be true together in a file whose single values have been checked. Values with problems stand at
 * their defaults, or are undefined whatever their type says; a check draws no conclusions from them.
 */
export function checkFile(file: ControlPlaneFile, routes: readonly FileRoute[], findings: Findings): void {
  checkDeployment(file, findings);
  checkPools(file, findings);
  checkDefaultPool(file, findings);
  checkNamespaceRouting(file, routes, findings);
  checkTenantRouting(file, findings);
  checkBackends(file, findings);
  checkLoadBalancer(file, findings);
  checkDiscovery(file, findings);
  checkHealth(file, findings);
  checkIsolation(file, findings);
  checkCompliance(file, findings);
}
