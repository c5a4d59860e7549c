import { LOAD_BALANCERS } from '../dto/load-balancer.dto.js';
import { TENANT_ID } from '../kinds/names.js';
import type { Check } from './check.js';

/** What belongs to a tenancy model, and what to others only. */
export const checkDeployment: Check = (file, findings) => {
  if (file.control_plane !== undefined && file.prism_bridge !== undefined) {
    findings.problem(['prism_bridge'], 'expected either control_plane or prism_bridge, found both');
  }
  if (!findings.isSound(['deployment', 'model'])) {
    return;
  }
  const { model, tenant_id: tenantId, control_plane: controlPlane } = file.deployment;
  if (model === 'single_tenant') {
    if (tenantId === undefined) {
      findings.expected(['deployment', 'tenant_id'], TENANT_ID.expected, undefined);
    }
    if (file.namespace_routing.length > 0) {
      findings.problem(
        ['namespace_routing'],
        'expected nothing in single_tenant: all namespaces belong to the one tenant',
      );
    }
    if (controlPlane !== undefined) {
      findings.warning(['deployment', 'control_plane'], 'has no meaning in single_tenant');
    }
  } else if (tenantId !== undefined) {
    findings.problem(
      ['deployment', 'tenant_id'],
      `expected nothing in ${model}: tenants are registered, or follow from rules`,
    );
  }
  if (model !== 'hybrid' && file.tenant_routing !== undefined) {
    findings.problem(['tenant_routing'], `expected nothing in ${model}: rules choose between deployments in hybrid`);
  }
  if (model === 'hybrid' && (file.tenant_routing?.rules.length ?? 0) === 0 && findings.isSound(['tenant_routing'])) {
    findings.warning(['tenant_routing'], 'has no rules, so that hybrid is the same as multi_tenant');
  }
};

/** The cluster is described for people, but not as another one than there is. */
export const checkCluster: Check = ({ deployment, cluster, load_balancer: loadBalancer }, findings) => {
  const { model } = deployment;
  if (cluster.mode !== undefined && findings.isSound(['deployment', 'model'])) {
    if (model === 'single_tenant' && cluster.mode !== 'dedicated') {
      findings.expected(['cluster', 'mode'], 'dedicated in single_tenant', cluster.mode);
    }
    if (model !== 'single_tenant' && cluster.mode === 'dedicated') {
      findings.warning(['cluster', 'mode'], `is dedicated, but the clusters of ${model} are shared`);
    }
  }
  const named = LOAD_BALANCERS.find((each) => each === cluster.load_balancer);
  if (named !== undefined && loadBalancer?.type !== undefined && named !== loadBalancer.type) {
    findings.problem(
      ['cluster', 'load_balancer'],
      `expected ${loadBalancer.type} as load_balancer.type says, found "${named}"`,
    );
  }
};
