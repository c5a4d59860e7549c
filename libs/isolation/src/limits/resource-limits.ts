import type { NamespaceId, NamespaceResources } from '@palisade/domain';

export interface ResourceLimits {
  readonly perNamespace: NamespaceResources;
  /** What is different for some namespaces. */
  readonly namespaces: ReadonlyMap<NamespaceId, NamespaceResources>;
  /** Over which CPU time is averaged. */
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
