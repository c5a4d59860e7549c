import { asFields, asInteger, asList, asText, type Fields, type ObjectMetadata } from './api/objects.js';

/** Share of requests, relative to the other pods of the pool: 1 to 256. */
export const WEIGHT_ANNOTATION = 'prism.io/weight';

/** The fields of a pod that discovery needs. */
export interface ProxyPod {
  readonly name: string;
  readonly isReady: boolean;
  /** It was deleted, and finishes its requests. */
  readonly isTerminating: boolean;
  /** Its containers have ended for good. */
  readonly hasEnded: boolean;
  readonly ip?: string;
  /** The container port with the configured name. */
  readonly port?: number;
  readonly pool?: string;
  /** The text of the annotation. */
  readonly weight?: string;
}

/** @param portName of the container port that requests go to */
export function readProxyPod(
  { name, isTerminating, labels, annotations }: ObjectMetadata,
  object: Fields,
  { poolLabel, portName }: { readonly poolLabel: string; readonly portName: string },
): ProxyPod {
  const status = asFields(object['status']) ?? {};
  const phase = asText(status['phase']);
  return {
    name,
    isTerminating,
    isReady: asList(status['conditions']).some(isReadyCondition),
    hasEnded: phase === 'Succeeded' || phase === 'Failed',
    ip: asText(status['podIP']),
    port: findPort(asFields(object['spec']) ?? {}, portName),
    pool: labels.get(poolLabel),
    weight: annotations.get(WEIGHT_ANNOTATION),
  };
}

function isReadyCondition(condition: unknown): boolean {
  const { type, status } = asFields(condition) ?? {};
  return type === 'Ready' && status === 'True';
}

/** Init containers that keep running (`restartPolicy: Always`) may take the requests. */
function findPort(spec: Fields, portName: string): number | undefined {
  const sidecars = asList(spec['initContainers']).filter((each) => asFields(each)?.['restartPolicy'] === 'Always');
  return [...asList(spec['containers']), ...sidecars]
    .flatMap((container) => asList(asFields(container)?.['ports']))
    .map((port) => asFields(port) ?? {})
    .filter(({ name, protocol = 'TCP' }) => name === portName && protocol === 'TCP')
    .map(({ containerPort }) => asInteger(containerPort))
    .find((port) => port !== undefined && port >= 1 && port <= 65_535);
}
