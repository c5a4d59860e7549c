import { generatePassword } from '../../passwords.js';
import type { Acl } from '@platformatic/kafka';
import { describeAcl, ownedAcls, plannedAcls, withoutAcls, type AclOwner } from './acls.js';
import type { ClusterAdmin } from './cluster-admin.js';
import type { KafkaGrants, KafkaTopicPlan } from './kafka-grants.js';
import { changeQuotas, findQuotaDifferences, type QuotaDifference } from './quotas.js';
import { hasScramUser, removeScramUser, setScramPassword, type ScramMechanism } from './scram.js';

/** The login that a tenant's grants are for. */
export interface GrantOwner extends AclOwner {
  /** The principal without its type. */
  readonly user: string;
  readonly isScramUser: boolean;
  readonly mechanism: ScramMechanism;
}

/** The password that was set; undefined when the user keeps its own, or has none. */
export async function applyUser(
  cluster: ClusterAdmin,
  owner: GrantOwner,
  wanted: string | undefined,
): Promise<string | undefined> {
  const { user, isScramUser, mechanism } = owner;
  if (!isScramUser) {
    return undefined;
  }
  const connection = await cluster.connect();
  if (wanted === undefined && (await hasScramUser(connection, user, mechanism))) {
    return undefined;
  }
  const password = wanted ?? generatePassword();
  await setScramPassword(connection, user, mechanism, password);
  return password;
}

export async function removeUser(
  cluster: ClusterAdmin,
  { user, isScramUser, mechanism, principal }: GrantOwner,
): Promise<string[]> {
  const connection = isScramUser ? await cluster.connect() : undefined;
  if (connection === undefined || !(await hasScramUser(connection, user, mechanism))) {
    return [];
  }
  await removeScramUser(connection, user, mechanism);
  return [`removed ${principal}`];
}

export async function applyAcls(cluster: ClusterAdmin, owner: GrantOwner): Promise<string[]> {
  const planned = plannedAcls(owner);
  const present = await cluster.acls();
  const missing = withoutAcls(planned, present);
  const surplus = withoutAcls(ownedAcls(present, owner), planned);
  if (missing.length > 0) {
    await cluster.admin.createAcls({ creations: missing });
  }
  return [...missing.map((acl) => `added: ${describeAcl(acl)}`), ...(await deleteAcls(cluster, surplus))];
}

export async function removeAcls(cluster: ClusterAdmin, owner: GrantOwner): Promise<string[]> {
  return deleteAcls(cluster, ownedAcls(await cluster.acls(), owner));
}

async function deleteAcls(cluster: ClusterAdmin, acls: readonly Acl[]): Promise<string[]> {
  if (acls.length > 0) {
    await cluster.admin.deleteAcls({ filters: [...acls] });
  }
  return acls.map((acl) => `removed: ${describeAcl(acl)}`);
}

export async function applyQuotas(
  cluster: ClusterAdmin,
  { user }: GrantOwner,
  { quotas = {} }: KafkaGrants,
): Promise<string[]> {
  const differences = await findQuotaDifferences(cluster.admin, user, quotas);
  await changeQuotas(cluster.admin, user, differences);
  return differences.map(({ key, wanted }) => `set the quota ${key} of ${user} to ${wanted ?? 'no limit'}`);
}

export function describeQuota({ key, found, wanted }: QuotaDifference): string {
  return `the quota ${key}: expected ${wanted ?? 'no limit'}, found ${found ?? 'no limit'}`;
}

export async function applyTopics(
  cluster: ClusterAdmin,
  topics: ReadonlyMap<string, KafkaTopicPlan>,
): Promise<string[]> {
  const present = topics.size === 0 ? new Set() : await cluster.topicNames();
  const missing = [...topics].filter(([name]) => !present.has(name));
  for (const [name, plan] of missing) {
    await cluster.createTopic(name, plan);
  }
  return missing.map(([name]) => `made the topic ${name}`);
}

export async function deleteData({ admin }: ClusterAdmin, prefix: string): Promise<string[]> {
  const groups = [...(await admin.listGroups()).keys()].filter((id) => id.startsWith(prefix));
  const topics = (await admin.listTopics()).filter((name) => name.startsWith(prefix));
  if (groups.length > 0) {
    await admin.deleteGroups({ groups });
  }
  if (topics.length > 0) {
    await admin.deleteTopics({ topics });
  }
  return [
    ...groups.map((id) => `deleted the consumer group ${id}`),
    ...topics.map((name) => `deleted the topic ${name}`),
  ];
}
