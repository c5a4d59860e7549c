import { asFields, asInteger, asList, asText, type Fields, type ObjectMetadata } from '../api/objects.js';
import { pathOf } from '../api/kubernetes-api.js';

const API_GROUP = '/apis/prism.io/v1alpha1';
const PLURAL = 'prismtenants';

/** A condition in the usual form of Kubernetes. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One word, for programs. */
  readonly reason: string;
  /** For people. */
  readonly message: string;
  /** When `status` last changed, in RFC 3339 format. */
  readonly lastTransitionTime: string;
  readonly observedGeneration: number;
}

/** The status that the control plane writes into a resource. */
export interface PrismTenantStatus {
  readonly observedGeneration: number;
  readonly namespace_count: number;
  readonly pools: readonly string[];
  /** Null removes an earlier value. */
  readonly isolation_level: string | null;
  readonly conditions: readonly Condition[];
}

/** The fields of a PrismTenant that are needed. */
export interface PrismTenant {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly createdAt: string;
  /** Unchecked, except by the API server. */
  readonly spec: unknown;
  readonly status: PrismTenantStatus;
}

export function tenantsPath(namespace: string): string {
  return pathOf(API_GROUP, namespace, PLURAL);
}

/** @throws {KubernetesError} when the name is impossible */
export function tenantPath(namespace: string, name: string, subresource?: 'status'): string {
  return pathOf(API_GROUP, namespace, PLURAL, name, ...(subresource === undefined ? [] : [subresource]));
}

export function readPrismTenant(metadata: ObjectMetadata, object: Fields): PrismTenant {
  const { name, uid, resourceVersion, generation, createdAt } = metadata;
  const status = readStatus(asFields(object['status']) ?? {});
  return { name, uid, resourceVersion, generation, createdAt, spec: object['spec'], status };
}

function readStatus(status: Fields): PrismTenantStatus {
  return {
    observedGeneration: asInteger(status['observedGeneration']) ?? 0,
    namespace_count: asInteger(status['namespace_count']) ?? 0,
    pools: asList(status['pools']).filter((each) => typeof each === 'string'),
    isolation_level: asText(status['isolation_level']) ?? null,
    conditions: asList(status['conditions']).flatMap((each) => readCondition(asFields(each) ?? {}) ?? []),
  };
}

function readCondition(condition: Fields): Condition | undefined {
  const type = asText(condition['type']);
  const status = (['True', 'False', 'Unknown'] as const).find((each) => each === condition['status']);
  if (type === undefined || status === undefined) {
    return undefined;
  }
  return {
    type,
    status,
    reason: asText(condition['reason']) ?? 'Unknown',
    message: asText(condition['message']) ?? '',
    lastTransitionTime: asText(condition['lastTransitionTime']) ?? '',
    observedGeneration: asInteger(condition['observedGeneration']) ?? 0,
  };
}
