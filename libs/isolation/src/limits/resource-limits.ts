import type { NamespaceId } from '@palisade/domain';

/** What one namespace may take; absent for no limit. */
export interface NamespaceResources {
  /** Requests per second. */
  readonly maxRps?: number;
  /** CPU time of the process's main thread per time, as an average over {@link ResourceLimits.cpuWindowMs}. */
  readonly cores?: number;
  /** Memory that the process holds for it. */
  readonly bytes?: number;
}

export interface ResourceLimits {
  readonly perNamespace: NamespaceResources;
  /** What is different for some namespaces. */
  readonly namespaces: ReadonlyMap<NamespaceId, NamespaceResources>;
  readonly cpuWindowMs: number;
}

/** What namespaces may take at the moment. */
export interface LiveLimits {
  readonly perNamespace: NamespaceResources;
  readonly cpuWindowMs: number;
  resourcesOf(namespace: NamespaceId): NamespaceResources;
}

export function resourcesOf({ perNamespace, namespaces }: ResourceLimits, namespace: NamespaceId): NamespaceResources {
  const own = namespaces.get(namespace);
  return own === undefined
    ? perNamespace
    : {
        maxRps: own.maxRps ?? perNamespace.maxRps,
        cores: own.cores ?? perNamespace.cores,
        bytes: own.bytes ?? perNamespace.bytes,
      };
}

/** Whether any namespace has a limit of its CPU time. */
export function limitsCpu({ perNamespace, namespaces }: ResourceLimits): boolean {
  return [perNamespace, ...namespaces.values()].some(({ cores }) => cores !== undefined);
}
