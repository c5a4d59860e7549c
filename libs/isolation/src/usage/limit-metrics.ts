import type { NamespaceResources } from '@palisade/domain';
import { Gauge, type Registry } from 'prom-client';

/**
 * Adds what each namespace may take to a registry, as far as it is limited. What is different for some namespaces is left
 * out: there is one series for each limit.
 */
export function registerLimitMetrics(registry: Registry, { maxRps, cores, bytes }: NamespaceResources): void {
  const limits = [
    ['isolation_namespace_max_requests_per_second', 'Requests per second that a namespace may make.', maxRps],
    ['isolation_namespace_max_cpu_cores', 'CPU time per time that a namespace may take.', cores],
    ['isolation_namespace_max_memory_bytes', 'Memory that may be held for a namespace.', bytes],
  ] as const;
  for (const [name, help, value] of limits) {
    if (value !== undefined) {
      new Gauge({ name, help: `${help} Some may have limits of their own.`, registers: [registry] }).set(value);
    }
  }
}
