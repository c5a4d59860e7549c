import type { TenantId } from '@palisade/domain';
import type { Acl } from '@platformatic/kafka';
import { mainNamespace } from '../../../tenant-namespace.js';
import type { NameTemplate } from '../../name-template.js';
import { MIN_PASSWORD_LENGTH } from '../../passwords.js';
import { clientSettings, DEFAULT_TIMINGS, type KafkaConnectOptions } from '../kafka-options.js';
import { createTemplate, KafkaNames, type KafkaSeparation } from '../kafka-names.js';
import { describeAcl, plannedAcls, reaches, withoutAcls, type AclOwner } from './acls.js';
import { ClusterAdmin } from './cluster-admin.js';
import type { KafkaGrants, KafkaProvisioned, KafkaTopicPlan } from './kafka-grants.js';
import {
  applyAcls,
  applyQuotas,
  applyTopics,
  applyUser,
  deleteData,
  describeQuota,
  removeAcls,
  removeUser,
  type GrantOwner,
} from './grant-steps.js';
import { findQuotaDifferences } from './quotas.js';
import { hasScramUser } from './scram.js';

export interface KafkaProvisionerOptions {
  /** How to connect as somebody who may administer the cluster. */
  readonly config: KafkaConnectOptions;
  /** As the driver has it. Default: by the topic prefix `{tenant_id}.{namespace}.{topic}`. */
  readonly separation?: KafkaSeparation;
  /** What the names of SCRAM users begin with, before the tenant's id: letters, digits, `.`, `_`, `-`. Default `tenant-`. */
  readonly userPrefix?: string;
  /** Who else may have access to what belongs to tenants, such as `User:backup`. */
  readonly trustedPrincipals?: readonly string[];
}

export interface KafkaRemoval {
  /** `delete`: topics and consumer groups of the tenant too, with all that is in them. Default `keep`. */
  readonly data?: 'keep' | 'delete';
}

/** Names of certificates hold spaces, commas and equals signs; `*` would be everybody. */
const PRINCIPAL = /^User:(?!\*$)[^\p{Cc}]{1,200}$/u;

/**
 * What tenants have on a Kafka cluster: a user each, who may use what begins with that tenant's prefix. So the
 * cluster denies what the scoped client would never ask for.
 *
 * The cluster needs an authorizer (`authorizer.class.name`) that denies what no list allows: it does not tell whether
 * `allow.everyone.if.no.acl.found` is set. It may take a moment until all its brokers know of a change.
 */
export class KafkaProvisioner {
  readonly #options: KafkaProvisionerOptions;
  readonly #template: NameTemplate;
  readonly #userPrefix: string;

  /** @throws {InvalidSettingsError} when the format of the prefix is invalid */
  constructor(options: KafkaProvisionerOptions) {
    const { separation, userPrefix = 'tenant-' } = options;
    if (!/^[\w.-]{0,64}$/.test(userPrefix)) {
      throw new TypeError('userPrefix: expected at most 64 letters, digits, ".", "_" and "-"');
    }
    this.#options = options;
    this.#template = createTemplate(separation);
    this.#userPrefix = userPrefix;
  }

  usernameOf(tenantId: TenantId): string {
    return `${this.#userPrefix}${tenantId}`;
  }

  /**
   * Makes what a tenant has what it should be, whatever it was. Without a password a new user gets one of 256 random bits.
   *
   * @throws {TypeError} when the principal is invalid, or the password has fewer than 16 characters
   * @throws {KafkaRejectedError} such as `SECURITY_DISABLED` when the cluster has no authorizer
   */
  async apply(tenantId: TenantId, grants: KafkaGrants = {}): Promise<KafkaProvisioned> {
    const owner = this.#ownerOf(tenantId, grants);
    const topics = this.#topicsOf(tenantId, grants);
    return this.#administer(async (cluster) => {
      const password = await applyUser(cluster, owner, grants.password);
      const changes = [
        ...(password === undefined ? [] : [`set the password of ${owner.principal}`]),
        ...(await applyAcls(cluster, owner)),
        ...(await applyQuotas(cluster, owner, grants)),
        ...(await applyTopics(cluster, topics)),
      ];
      return { principal: owner.principal, password, changes };
    });
  }

  /**
   * How the cluster differs from what {@link apply} makes of it, each difference as a sentence; empty when it does not.
   * Also told is who else could use what belongs to the tenant.
   */
  async verify(tenantId: TenantId, grants: KafkaGrants = {}): Promise<readonly string[]> {
    const owner = this.#ownerOf(tenantId, grants);
    const topics = this.#topicsOf(tenantId, grants);
    return this.#administer(async (cluster) => {
      const { principal, user, isScramUser, mechanism } = owner;
      const hasUser = !isScramUser || (await hasScramUser(await cluster.connect(), user, mechanism));
      const names = await cluster.topicNames();
      return [
        ...(hasUser ? [] : [`${principal} cannot log in with ${mechanism}`]),
        ...this.#findAclDrift(await cluster.acls(), owner),
        ...(await findQuotaDifferences(cluster.admin, user, grants.quotas ?? {})).map(describeQuota),
        ...[...topics.keys()].filter((name) => !names.has(name)).map((name) => `there is no topic ${name}`),
      ];
    });
  }

  /**
   * Takes everything back. What was changed, each thing as a sentence; empty when there was nothing.
   *
   * @throws {TypeError} when data is to be deleted that is not separated by prefix
   */
  async remove(tenantId: TenantId, grants: KafkaGrants = {}, removal: KafkaRemoval = {}): Promise<readonly string[]> {
    const owner = this.#ownerOf(tenantId, grants);
    if (removal.data === 'delete' && owner.prefix === '') {
      throw new TypeError('data: expected "keep" where a tenant has a cluster of its own');
    }
    return this.#administer(async (cluster) => [
      // First of all, because connections outlive the user who has made them.
      ...(await removeAcls(cluster, owner)),
      ...(await removeUser(cluster, owner)),
      ...(await applyQuotas(cluster, owner, {})),
      ...(removal.data === 'delete' ? await deleteData(cluster, owner.prefix) : []),
    ]);
  }

  #ownerOf(tenantId: TenantId, grants: KafkaGrants): GrantOwner {
    const { principal = `User:${this.usernameOf(tenantId)}`, password, mechanism = 'SCRAM-SHA-512' } = grants;
    if (!PRINCIPAL.test(principal)) {
      throw new TypeError('principal: expected "User:" and a name');
    }
    if (password !== undefined && (grants.principal !== undefined || password.length < MIN_PASSWORD_LENGTH)) {
      throw new TypeError(`password: expected at least ${MIN_PASSWORD_LENGTH} characters, and no principal beside it`);
    }
    return {
      principal,
      user: principal.slice('User:'.length),
      isScramUser: grants.principal === undefined,
      mechanism,
      prefix: this.#template.tenantPrefix(tenantId),
      mayCreateTopics: grants.mayCreateTopics ?? false,
    };
  }

  /** By the cluster's name. */
  #topicsOf(tenantId: TenantId, { topics = [] }: KafkaGrants) {
    const nameOf = ({ name, namespace = mainNamespace(tenantId) }: KafkaTopicPlan) =>
      new KafkaNames(this.#template, { tenantId, namespace }).topic(name);
    return new Map(topics.map((topic) => [nameOf(topic), topic]));
  }

  #findAclDrift(present: readonly Acl[], owner: AclOwner): string[] {
    const planned = plannedAcls(owner);
    const trusted = new Set([owner.principal, ...(this.#options.trustedPrincipals ?? [])]);
    const own = present.filter(({ principal }) => principal === owner.principal);
    const others = present.filter((acl) => !trusted.has(acl.principal) && reaches(acl, owner.prefix));
    return [
      ...withoutAcls(planned, present).map((acl) => `missing: ${describeAcl(acl)}`),
      ...withoutAcls(own, planned).map((acl) => `too much: ${describeAcl(acl)}`),
      ...others.map((acl) => `somebody else: ${describeAcl(acl)}`),
    ];
  }

  #administer<T>(work: (cluster: ClusterAdmin) => Promise<T>): Promise<T> {
    const settings = clientSettings(this.#options.config, 'palisade.provisioner', DEFAULT_TIMINGS);
    return ClusterAdmin.use(settings, DEFAULT_TIMINGS.closeTimeoutMs, work);
  }
}
