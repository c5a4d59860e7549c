import { expectedText } from '@palisade/isolation/settings';
import type { FileReport } from '../file-report.js';
import type { ControlPlaneFile } from '../schema/control-plane-file.js';
import { LOAD_BALANCERS } from '../schema/operations.js';

/** Which sections belong to the tenancy model. */
export function checkDeployment(file: ControlPlaneFile, report: FileReport): void {
  if (file.controlPlane !== undefined && file.prismBridge !== undefined) {
    report.problem(['prism_bridge'], 'expected either control_plane or prism_bridge, found both');
  }
  if (report.isSound('deployment', 'model')) {
    if (file.deployment.model === 'single_tenant') {
      checkSingleTenant(file, report);
    } else {
      checkManyTenants(file, report);
    }
  }
  const named = LOAD_BALANCERS.find((each) => each === file.cluster.loadBalancer);
  const type = file.loadBalancer?.type;
  if (named !== undefined && type !== undefined && named !== type) {
    report.expected(['cluster', 'load_balancer'], `${type} as load_balancer.type says`);
  }
}

function checkSingleTenant(file: ControlPlaneFile, report: FileReport): void {
  const { deployment, cluster, tenantRouting } = file;
  if (deployment.tenantId === undefined) {
    report.problem(
      ['deployment', 'tenant_id'],
      expectedText('a tenant id: 1 to 63 of a-z, 0-9 and inner "-"', undefined),
    );
  }
  const routes = { namespace_routing: file.namespaceRouting[0], namespace_routing_file: file.namespaceRoutingFile };
  for (const [key, given] of Object.entries(routes)) {
    if (given !== undefined) {
      report.problem([key], 'expected nothing in single_tenant: all namespaces belong to the one tenant');
    }
  }
  if (deployment.controlPlane !== undefined) {
    report.warning(['deployment', 'control_plane'], 'has no effect in single_tenant');
  }
  if (tenantRouting !== undefined) {
    reportRules('single_tenant', report);
  }
  if (cluster.mode !== undefined && cluster.mode !== 'dedicated') {
    report.expected(['cluster', 'mode'], 'dedicated in single_tenant');
  }
}

function checkManyTenants({ deployment, cluster, tenantRouting }: ControlPlaneFile, report: FileReport): void {
  const { model, tenantId } = deployment;
  if (tenantId !== undefined) {
    report.problem(
      ['deployment', 'tenant_id'],
      `expected nothing in ${model}: tenants are registered, or follow from rules`,
    );
  }
  if (model === 'multi_tenant' && tenantRouting !== undefined) {
    reportRules(model, report);
  }
  if (model === 'hybrid' && (tenantRouting?.rules.length ?? 0) === 0 && report.isSound('tenant_routing')) {
    report.warning(['tenant_routing'], 'has no rules, so that hybrid is the same as multi_tenant');
  }
  if (cluster.mode === 'dedicated') {
    report.warning(['cluster', 'mode'], `is dedicated, but the clusters of ${model} are shared`);
  }
}

function reportRules(model: string, report: FileReport): void {
  report.problem(['tenant_routing'], `expected nothing in ${model}: rules choose between deployments in hybrid`);
}
