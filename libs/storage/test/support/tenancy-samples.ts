import { expect } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import {
  parseNamespacePattern,
  parsePoolName,
  parseProxyId,
  parseTenantId,
  type LogRecord,
  type Proxy,
  type ProxyDraft,
  type ProxyId,
  type RegisterTenantResult,
  type Store,
  type Tenant,
  type TenantDraft,
  type TenantId,
  type TenantSource,
} from '@palisade/domain';
import { listSealed } from './log-harness.js';
import { changeAt } from './store-harness.js';

export const STANDARD = parsePoolName('standard');
export const PREMIUM = parsePoolName('premium');

/** A label that no test, of this run or an earlier one, has used. */
export function freshLabel(): string {
  return `t${randomBytes(9).toString('hex')}`;
}

export function freshTenantId(): TenantId {
  return parseTenantId(freshLabel());
}

export function freshProxyId(): ProxyId {
  return parseProxyId(`${freshLabel()}.example.com`);
}

export function tenantDraft(patterns: readonly string[], overrides: Partial<TenantDraft> = {}): TenantDraft {
  return { namespacePatterns: patterns.map(parseNamespacePattern), ...overrides };
}

export function proxyDraft(overrides: Partial<ProxyDraft> = {}): ProxyDraft {
  return { pool: STANDARD, host: '10.0.0.1', port: 9000, weight: 100, isDraining: false, ...overrides };
}

/** A denied attempt, unless it is said otherwise. */
export function recordOf(overrides: Partial<LogRecord> = {}): LogRecord {
  return {
    timestamp: new Date('2026-01-01T00:00:00.123Z'),
    userId: 'ann@example.com',
    action: 'authorization',
    resource: 'GET /api/v1/tenants',
    result: 'denied',
    ...overrides,
  };
}

/** What tests of the registry do, with a tenant and names of their own. */
export class TestTenants {
  /** What every namespace of this test begins with. */
  readonly prefix = freshLabel();

  constructor(readonly store: Store) {}

  /** The id of a tenant that is named after the test's prefix and `name`. */
  id(name: string): TenantId {
    return parseTenantId(`${this.prefix}-${name}`);
  }

  /** Patterns begin with the prefix of the test: `-*` becomes `<prefix>-*`. */
  draft(patterns: readonly string[], overrides: Partial<TenantDraft> = {}): TenantDraft {
    return tenantDraft(
      patterns.map((pattern) => this.prefix + pattern),
      overrides,
    );
  }

  register(
    name: string,
    patterns: readonly string[],
    overrides: Partial<TenantDraft> = {},
    source: TenantSource = 'api',
  ): Promise<RegisterTenantResult> {
    return this.store.tenants.register(this.id(name), source, this.draft(patterns, overrides), changeAt(0));
  }

  replace(
    name: string,
    patterns: readonly string[],
    overrides: Partial<TenantDraft> = {},
    options: { readonly ifVersion?: number; readonly drainMs?: number; readonly source?: TenantSource } = {},
  ): Promise<Tenant> {
    const draft = this.draft(patterns, overrides);
    return this.store.tenants.replace(this.id(name), draft, changeAt(5), { source: 'api', ...options });
  }

  remove(name: string, options: { readonly ifVersion?: number; readonly source?: TenantSource } = {}): Promise<void> {
    return this.store.tenants.remove(this.id(name), changeAt(9), { source: 'api', ...options });
  }

  find(name: string): Promise<Tenant | undefined> {
    return this.store.tenants.find(this.id(name));
  }

  /** The records of one tenant's changes. */
  records(name: string): Promise<LogRecord[]> {
    return listSealed(this.store, { tenantId: this.id(name) });
  }
}

/** What a proxy looks like right after its registration at second 0, with a heartbeat by the store's clock. */
export function registeredProxy(id: ProxyId, overrides: Partial<Proxy> = {}): unknown {
  const at = new Date('2026-01-01T00:00:00Z');
  return {
    id,
    ...proxyDraft(),
    source: 'registration',
    owner: 'tester',
    health: 'unknown',
    registeredAt: at,
    lastHeartbeatAt: expect.anything(),
    ...overrides,
  };
}
