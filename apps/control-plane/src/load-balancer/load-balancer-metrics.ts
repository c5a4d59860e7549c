import type { LoadBalancerVersion } from '@palisade/domain';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Drift } from './load-balancer-driver.js';
import type { LoadBalancer } from './load-balancer.js';

const METHODS = ['none', 'maps', 'servers', 'reload'] as const satisfies readonly LoadBalancerVersion['method'][];
const RESULTS = [
  'applied',
  'unchanged',
  'rejected',
  'rolled_back',
  'failed',
] as const satisfies readonly LoadBalancerVersion['result'][];
const KINDS = ['file', 'process', 'map', 'server'] as const satisfies readonly Drift['kind'][];

/**
 * Registers metrics of changes of the load balancer. Only the leader makes any, so only its numbers grow. Every series exists
 * from the start, so that the first failure counts as an increase.
 */
export function registerLoadBalancerMetrics(registry: Registry, loadBalancer: Pick<LoadBalancer, 'listen'>): void {
  const changes = new Counter({
    name: 'control_plane_load_balancer_changes_total',
    help: 'Changes of the load balancer, by method and result.',
    labelNames: ['method', 'result'],
    registers: [registry],
  });
  const drifts = new Counter({
    name: 'control_plane_load_balancer_drifts_total',
    help: 'Differences found between the load balancer and its desired state, by kind.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const followed = new Gauge({
    name: 'control_plane_load_balancer_success_timestamp_seconds',
    help: 'When the load balancer was last changed successfully, or found up to date, in seconds since 1970.',
    registers: [registry],
  });
  followed.remove(); // until the first success
  METHODS.forEach((method) => RESULTS.forEach((result) => changes.inc({ method, result }, 0)));
  KINDS.forEach((kind) => drifts.inc({ kind }, 0));
  loadBalancer.listen({
    onChange({ method, result, at }) {
      changes.inc({ method, result });
      if (result === 'applied' || result === 'unchanged') {
        followed.set(at.getTime() / 1000);
      }
    },
    onSearched: (found) => found.forEach(({ kind }) => drifts.inc({ kind })),
  });
}
