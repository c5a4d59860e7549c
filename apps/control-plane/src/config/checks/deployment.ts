import { expectedText } from '@palisade/isolation/settings';
import type { Findings } from '../findings.js';
import type { ControlPlaneFile } from '../schema/control-plane-file.js';
import { LOAD_BALANCERS } from '../schema/operations.js';

/** Which sections belong to the tenancy model. */
export function checkDeployment(file: ControlPlaneFile, findings: Findings): void {
  if (file.controlPlane !== undefined && file.prismBridge !== undefined) {
    findings.problem(['prism_bridge'], 'expected either control_plane or prism_bridge, found both');
  }
  if (findings.isSound('deployment', 'model')) {
    if (file.deployment.model === 'single_tenant') {
      checkSingleTenant(file, findings);
    } else {
      checkManyTenants(file, findings);
    }
  }
  const named = LOAD_BALANCERS.find((each) => each === file.cluster.loadBalancer);
  const type = file.loadBalancer?.type;
  if (named !== undefined && type !== undefined && named !== type) {
    findings.expected(['cluster', 'load_balancer'], `${type} as load_balancer.type says`);
  }
}

function checkSingleTenant(file: ControlPlaneFile, findings: Findings): void {
  const { deployment, cluster, tenantRouting } = file;
  if (deployment.tenantId === undefined) {
    findings.problem(
      ['deployment', 'tenant_id'],
      expectedText('a tenant id: 1 to 63 of a-z, 0-9 and inner "-"', undefined),
    );
  }
  const routes = { namespace_routing: file.namespaceRouting[0], namespace_routing_file: file.namespaceRoutingFile };
  for (const [key, given] of Object.entries(routes)) {
    if (given !== undefined) {
      findings.problem([key], 'expected nothing in single_tenant: all namespaces belong to the one tenant');
    }
  }
  if (deployment.controlPlane !== undefined) {
    findings.warning(['deployment', 'control_plane'], 'has no effect in single_tenant');
  }
  if (tenantRouting !== undefined) {
    reportRules('single_tenant', findings);
  }
  if (cluster.mode !== undefined && cluster.mode !== 'dedicated') {
    findings.expected(['cluster', 'mode'], 'dedicated in single_tenant');
  }
}

function checkManyTenants({ deployment, cluster, tenantRouting }: ControlPlaneFile, findings: Findings): void {
  const { model, tenantId } = deployment;
  if (tenantId !== undefined) {
    findings.problem(
      ['deployment', 'tenant_id'],
      `expected nothing in ${model}: tenants are registered, or follow from rules`,
    );
  }
  if (model === 'multi_tenant' && tenantRouting !== undefined) {
    reportRules(model, findings);
  }
  if (model === 'hybrid' && (tenantRouting?.rules.length ?? 0) === 0 && findings.isSound('tenant_routing')) {
    findings.warning(['tenant_routing'], 'has no rules, so that hybrid is the same as multi_tenant');
  }
  if (cluster.mode === 'dedicated') {
    findings.warning(['cluster', 'mode'], `is dedicated, but the clusters of ${model} are shared`);
  }
}

function reportRules(model: string, findings: Findings): void {
  findings.problem(['tenant_routing'], `expected nothing in ${model}: rules choose between deployments in hybrid`);
}
