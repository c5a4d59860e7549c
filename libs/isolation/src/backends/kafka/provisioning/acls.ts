import type { Acl, AclFilter } from '@platformatic/kafka';
import { AclOperations, AclPermissionTypes, ResourcePatternTypes, ResourceTypes } from '../kafka-package.js';

/** What is separated by prefix. */
const SEPARATED = [ResourceTypes.TOPIC, ResourceTypes.GROUP, ResourceTypes.TRANSACTIONAL_ID] as const;

const ANY_HOST = '*';
const EVERYTHING = '*';

export const EVERY_ACL: AclFilter = {
  resourceType: ResourceTypes.ANY,
  resourceName: null,
  resourcePatternType: ResourcePatternTypes.ANY,
  principal: null,
  host: null,
  operation: AclOperations.ANY,
  permissionType: AclPermissionTypes.ANY,
};

/** Whom access control lists are about, and what is theirs. */
export interface AclOwner {
  readonly principal: string;
  /** With its delimiter, or whoever may use `acme` may use `acme2` as well. Empty: all of the cluster is theirs. */
  readonly prefix: string;
  readonly mayCreateTopics: boolean;
}

/** All that an owner should have. Reading and writing include describing. */
export function plannedAcls({ principal, prefix, mayCreateTopics }: AclOwner): Acl[] {
  const grant = (resourceType: Acl['resourceType'], operation: Acl['operation']): Acl => ({
    resourceType,
    resourceName: prefix === '' ? EVERYTHING : prefix,
    resourcePatternType: prefix === '' ? ResourcePatternTypes.LITERAL : ResourcePatternTypes.PREFIXED,
    principal,
    host: ANY_HOST,
    operation,
    permissionType: AclPermissionTypes.ALLOW,
  });
  return [
    grant(ResourceTypes.TOPIC, AclOperations.READ),
    grant(ResourceTypes.TOPIC, AclOperations.WRITE),
    ...(mayCreateTopics ? [grant(ResourceTypes.TOPIC, AclOperations.CREATE)] : []),
    grant(ResourceTypes.GROUP, AclOperations.READ),
    grant(ResourceTypes.TRANSACTIONAL_ID, AclOperations.WRITE),
  ];
}

/** Those of `some` that are not among `others`. */
export function withoutAcls(some: readonly Acl[], others: readonly Acl[]): Acl[] {
  const known = new Set(others.map(keyOf));
  return some.filter((acl) => !known.has(keyOf(acl)));
}

/** Those of `present` that {@link plannedAcls} could have made, now or with other settings. */
export function ownedAcls(present: readonly Acl[], owner: AclOwner): Acl[] {
  const known = new Set(present.map(keyOf));
  return plannedAcls({ ...owner, mayCreateTopics: true }).filter((acl) => known.has(keyOf(acl)));
}

/** Whether it lets somebody use what an owner of the prefix has. */
export function reaches(acl: Acl, prefix: string): boolean {
  if (acl.permissionType !== AclPermissionTypes.ALLOW || !SEPARATED.some((type) => type === acl.resourceType)) {
    return false;
  }
  const { resourceName: name, resourcePatternType: pattern } = acl;
  if (pattern === ResourcePatternTypes.LITERAL) {
    return name === EVERYTHING || name.startsWith(prefix);
  }
  return name.startsWith(prefix) || prefix.startsWith(name);
}

/** `User:acme may READ TOPIC acme.*`. */
export function describeAcl(acl: Acl): string {
  const { principal, permissionType, operation, resourceType, resourceName, resourcePatternType, host } = acl;
  const verb = permissionType === AclPermissionTypes.DENY ? 'may not' : 'may';
  const star = resourcePatternType === ResourcePatternTypes.PREFIXED ? '*' : '';
  const from = host === ANY_HOST ? '' : ` from ${host}`;
  const what = `${labelOf(AclOperations, operation)} ${labelOf(ResourceTypes, resourceType)} ${resourceName}${star}`;
  return `${principal} ${verb} ${what}${from}`;
}

function keyOf(acl: Acl): string {
  const { resourceType, resourceName, resourcePatternType, principal, host, operation, permissionType } = acl;
  return JSON.stringify([resourceType, resourceName, resourcePatternType, principal, host, operation, permissionType]);
}

function labelOf(labels: Readonly<Record<string, number>>, value: number): string {
  return Object.keys(labels).find((label) => labels[label] === value) ?? String(value);
}
