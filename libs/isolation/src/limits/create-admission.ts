import type { NamespaceId } from '@palisade/domain';
import type { Clock } from '@palisade/async';
import { Admission } from './admission.js';
import { CpuLimiter } from './cpu-limiter.js';
import { MemoryLedger } from './memory-ledger.js';
import { RequestLimiter } from './request-limiter.js';
import type { ResourceLimits } from './resource-limits.js';

/** What holds namespaces to their limits. */
export function createAdmission(limits: ResourceLimits, clock: Clock): Admission {
  const namespaces = new Map<NamespaceId, number>();
  for (const [namespace, { maxRps }] of limits.namespaces) {
    if (maxRps !== undefined) {
      namespaces.set(namespace, maxRps);
    }
  }
  const requests = new RequestLimiter({ maxRps: limits.perNamespace.maxRps, namespaces, clock });
  return new Admission(requests, new CpuLimiter({ limits, clock }), new MemoryLedger(limits));
}
