import { Inject, Injectable } from '@nestjs/common';
import type { CompletePolicy, NamespaceId, PolicyChange, TenantId } from '@palisade/domain';
import { ISOLATION_OPTIONS, type IsolationOptions } from '../isolation-options.js';
import type { IsolationSettings } from '../isolation-settings.js';
import { limitsCpu, type LiveLimits, resourcesOf } from '../limits/resource-limits.js';
import { limitsOf, type NamespaceLimits } from '../pools/pool-settings.js';
import { readModuleSettings } from '../settings/module-settings.js';
import { readIsolationSettings } from '../settings/parse-isolation-settings.js';
import { formatProblem, type Problem } from '../settings/problems.js';
import { keepBackends, overlaySettings } from './overlay-settings.js';
import { readCompletePolicy, readPolicyChange, type WrittenTenant } from './policy-documents.js';
import { NamespaceNotServedError, NoPolicyError, PolicyRejectedError } from './policy.errors.js';
import { TenantTable } from './tenant-table.js';
import { type Abilities, checkTenant, CPU_PROBLEM, makeTenant, type NamespaceTerms, type Report } from './terms.js';

/** A policy that the control plane has sent and that is in force. */
interface Applied {
  readonly revision: number;
  readonly configuration: string;
  readonly pool: string;
  readonly tenants: TenantTable;
}

/** What applies to one namespace of one backend. */
export interface BackendTerms extends NamespaceLimits {
  /** Connections of one session. */
  readonly perSessionLimit: number;
}

const MAX_PROBLEMS = 10;

/**
 * What is to be enforced, for whom. Alone, the process's own settings are the policy of every namespace. A process of a
 * proxy pool (`proxyPool`) serves nothing until {@link apply} has told it the pool's policy: that replaces what the own
 * settings say, key by key, and serves the namespaces of its tenants only. What it says of backends that the process does not
 * have concerns other proxies of the pool, and is left out.
 *
 * A document is applied whole or not at all. Those who enforce are told at once ({@link onChange}): what is stricter holds
 * for all work that begins afterwards.
 */
@Injectable()
export class IsolationPolicy {
  readonly #options: IsolationOptions;
  /** The pool that the process belongs to; undefined when it runs alone. */
  readonly #proxyPool: string | undefined;
  readonly #abilities: Abilities;
  readonly #listeners = new Set<() => void>();
  #settings: IsolationSettings;
  #applied: Applied | undefined = undefined;

  /** @throws {InvalidSettingsError} when the own settings are wrong */
  constructor(@Inject(ISOLATION_OPTIONS) options: IsolationOptions) {
    this.#options = options;
    this.#proxyPool = options.proxyPool ?? options.controlPlane?.proxy.pool;
    this.#settings = readModuleSettings(options);
    const exclusive = Object.entries(options.backends).filter(([, { isPerNamespace }]) => isPerNamespace === true);
    const names = exclusive.map(([name]) => name).join(', ');
    this.#abilities = {
      sharingProblem:
        names === '' ? undefined : `expected namespace or session, as each namespace has its own login at ${names}`,
      measuresCpu: this.#settings.usage.measuresCpu,
    };
  }

  /** The settings in force: the process's own, with what the policy says in their place. */
  get settings(): IsolationSettings {
    return this.#settings;
  }

  /** What namespaces may take at the moment; nothing limits one that is not served. */
  get limits(): LiveLimits {
    const settings = () => this.#settings;
    return {
      get perNamespace() {
        return settings().limits.perNamespace;
      },
      get cpuWindowMs() {
        return settings().limits.cpuWindowMs;
      },
      resourcesOf: (namespace) => this.findTerms(namespace)?.resources ?? {},
    };
  }

  /** The revision in force; undefined while there is none. */
  get revision(): number | undefined {
    return this.#applied?.revision;
  }

  /** The digest of the configuration that the revision counts within. */
  get configuration(): string | undefined {
    return this.#applied?.configuration;
  }

  /** How many tenants the policy in force has. */
  get tenants(): number {
    return this.#applied?.tenants.size ?? 0;
  }

  /**
   * What applies to a namespace now. Not to be kept: another policy may have come with the next turn of the event loop.
   *
   * @throws {NoPolicyError} when the process is governed, and was not told a policy yet
   * @throws {NamespaceNotServedError} when no tenant of the policy has the namespace
   */
  termsOf(namespace: NamespaceId): NamespaceTerms {
    const { level, limits } = this.#settings;
    if (this.#applied === undefined) {
      if (this.#proxyPool !== undefined) {
        throw new NoPolicyError();
      }
      return { level, resources: resourcesOf(limits, namespace) };
    }
    const tenant = this.#applied.tenants.find(namespace);
    if (tenant === undefined) {
      throw new NamespaceNotServedError(namespace);
    }
    return limits.namespaces.has(namespace)
      ? { ...tenant, resources: { ...resourcesOf(limits, namespace), ...tenant.ownResources } }
      : tenant;
  }

  /** Like {@link termsOf}; undefined when the namespace is not served. */
  findTerms(namespace: NamespaceId): NamespaceTerms | undefined {
    return this.#isServed(namespace) ? this.termsOf(namespace) : undefined;
  }

  /** The tenant that has a namespace; undefined when there is none, or no policy. */
  tenantOf(namespace: NamespaceId): TenantId | undefined {
    return this.#applied?.tenants.find(namespace)?.tenantId;
  }

  /** What a namespace may have of a backend that the settings name. */
  limitsOf(backend: string, namespace: NamespaceId): BackendTerms {
    const pool = this.#settings.pools.get(backend);
    const own = this.#applied?.tenants.find(namespace)?.ownPools?.get(backend);
    if (pool === undefined) {
      throw new RangeError(`there is no backend ${backend}`);
    }
    const { max, reserved, weight } = limitsOf(pool, namespace);
    return {
      max: Math.max(reserved, own?.connectionsPerNamespace ?? max),
      reserved,
      weight,
      perSessionLimit: own?.perSessionLimit ?? pool.perSessionLimit,
    };
  }

  /** Has the listener told of each policy that has come into force, until what is returned is disposed of. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /**
   * Puts a complete policy in the place of the one before.
   *
   * @throws {PolicyRejectedError} when any of it cannot be enforced here; then nothing has changed
   */
  apply(document: CompletePolicy): void {
    const policy = readCompletePolicy(document);
    const { revision, configuration, pool, restored } = policy;
    const problems = new Problems(revision);
    const expectedPool = this.#proxyPool ?? this.#applied?.pool ?? pool;
    if (pool !== expectedPool) {
      problems.report(['pool'], `expected "${expectedPool}", found "${pool}"`);
    }
    const before = this.#applied;
    if (before?.configuration === configuration && revision < before.revision && restored !== true) {
      problems.report(['revision'], `expected ${before.revision} at least, which is in force, found ${revision}`);
    }
    problems.throwIfAny();
    const settings = this.#settle(policy.settings, problems);
    const tenants = new TenantTable();
    tenants.check(policy.tenants, [], problems.report);
    this.#checkTenants(policy.tenants, settings, problems);
    problems.throwIfAny();
    tenants.replace(
      policy.tenants.map((tenant) => makeTenant(tenant, settings)),
      [],
    );
    this.#settings = settings;
    this.#applied = { revision, configuration, pool, tenants };
    this.#tell();
  }

  /**
   * Changes the policy that is in force.
   *
   * @throws {PolicyRejectedError} when it starts from another revision, or any of it cannot be enforced here; then nothing
   * has changed
   */
  change(document: PolicyChange): void {
    const { from, revision, tenants, removed } = readPolicyChange(document);
    const problems = new Problems(revision);
    const before = this.#applied;
    if (before === undefined) {
      throw new PolicyRejectedError(revision, ['expected a complete policy first']);
    }
    if (from !== before.revision) {
      problems.report(['from'], `expected ${before.revision}, which is in force, found ${from}`);
    }
    if (revision < from) {
      problems.report(['revision'], `expected ${from} at least, found ${revision}`);
    }
    before.tenants.check(tenants, removed, problems.report);
    this.#checkTenants(tenants, this.#settings, problems);
    problems.throwIfAny();
    before.tenants.replace(
      tenants.map((tenant) => makeTenant(tenant, this.#settings)),
      removed,
    );
    this.#applied = { ...before, revision };
    this.#tell();
  }

  #isServed(namespace: NamespaceId): boolean {
    return this.#applied === undefined
      ? this.#proxyPool === undefined
      : this.#applied.tenants.find(namespace) !== undefined;
  }

  #settle(written: Readonly<Record<string, unknown>>, problems: Problems): IsolationSettings {
    const report: Report = (path, text) => problems.report(['settings', ...path], text);
    const backends = new Set(Object.keys(this.#options.backends));
    const read = readIsolationSettings(overlaySettings(this.#options.settings, keepBackends(written, backends)));
    read.problems.forEach(({ path, text }) => report(path, text));
    problems.throwIfAny();
    const settings = read.settings ?? this.#settings;
    const { actionSink, auditSink } = this.#options;
    if (settings.level === 'none' && this.#abilities.sharingProblem !== undefined) {
      report(['isolation_level'], this.#abilities.sharingProblem);
    }
    if (limitsCpu(settings.limits) && !this.#abilities.measuresCpu) {
      report(['resource_limits', 'cpu'], CPU_PROBLEM);
    } else if (settings.usage.measuresCpu && !this.#abilities.measuresCpu) {
      report(
        ['usage', 'cpu'],
        'expected false, as this process does not measure CPU time (its own usage.cpu is not true)',
      );
    }
    if (settings.actions.logsActions && actionSink === undefined) {
      report(['audit', 'log_actions'], 'expected false, as this process has no sink for the records');
    }
    if (settings.sessions.audit.isMandatory && auditSink === undefined) {
      report(['audit', 'mandatory'], 'expected false, as this process has no sink for the events');
    }
    return settings;
  }

  #checkTenants(tenants: readonly WrittenTenant[], settings: IsolationSettings, problems: Problems): void {
    for (const [index, tenant] of tenants.entries()) {
      checkTenant(tenant, settings, this.#abilities, (path, text) =>
        problems.report(['tenants', index, ...path], text),
      );
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/** What rejects a policy; the first are told. */
class Problems {
  readonly #found: Problem[] = [];

  constructor(private readonly revision: number) {}

  readonly report: Report = (path, text) => void this.#found.push({ path, text });

  /** @throws {PolicyRejectedError} */
  throwIfAny(): void {
    if (this.#found.length > 0) {
      throw new PolicyRejectedError(this.revision, this.#found.slice(0, MAX_PROBLEMS).map(formatProblem));
    }
  }
}
