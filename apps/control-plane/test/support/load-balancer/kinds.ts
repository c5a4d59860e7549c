import { findProgram } from '../../../../../scripts/lib/test-services/for-suites.mjs';
import { requireBinary } from '../../../../../test/support/test-services.js';
import type { BalancerOptions } from './balancer-under-test.js';

/** The load balancers to test with. Debian has no Envoy: it takes part where PALISADE_ENVOY_BINARY or the PATH has one. */
export function balancerKinds(): readonly Pick<BalancerOptions, 'type' | 'binary'>[] {
  const envoy = findProgram('envoy');
  return [
    { type: 'haproxy', binary: requireBinary('haproxy') },
    { type: 'nginx', binary: requireBinary('nginx') },
    ...(envoy === undefined ? [] : [{ type: 'envoy' as const, binary: envoy }]),
  ];
}
