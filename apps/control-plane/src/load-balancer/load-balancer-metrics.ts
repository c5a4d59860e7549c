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
 * Adds what is done to the load balancer to a registry. Only the leader does, so only its numbers grow. Every series is
 * there from the start: the first failure is an increase too.
 */
export function registerLoadBalancerMetrics(registry: Registry, loadBalancer: Pick<LoadBalancer, 'listen'>): void {
  const changes = new Counter({
    name: 'control_plane_load_balancer_changes_total',
    help: 'Changes of the load balancer, by how they were made and how that ended.',
    labelNames: ['method', 'result'],
    registers: [registry],
  });
  const drifts = new Counter({
    name: 'control_plane_load_balancer_drifts_total',
    help: 'What of the load balancer was found to be changed by somebody else.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const followed = new Gauge({
    name: 'control_plane_load_balancer_success_timestamp_seconds',
    help: 'When a change of the load balancer was last made, or found not to be needed, since 1970.',
    registers: [registry],
  });
  followed.remove(); // until it is known
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
