import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  parseNamespacePattern,
  parseTenantId,
  type BackendKind,
  type ChangeContext,
  type HeldLease,
  type TenantId,
} from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { routingSettings } from '../../test/support/routing-settings.js';
import { RoutingTable } from '../routing/table/routing-table.js';
import { ProvisioningDuty } from './provisioning.duty.js';
import { TenantProvisioner, type ProvisioningChange, type ProvisioningFailure } from './tenant-provisioner.js';

const CHANGE: ChangeContext = { actor: 'test', at: new Date(0) };

/** Remembers who is provided for; fails for those that it is told to. */
class FakeProvisioner extends TenantProvisioner {
  override batchSize = 2;
  readonly calls: string[] = [];
  readonly failing = new Set<TenantId>();
  /** What differs from what was provisioned, by tenant; provisioning repairs it. */
  readonly differing = new Map<string, string[]>();
  /** What differs and is not repaired. */
  readonly unrepairable = new Map<string, string[]>();
  readonly verified: string[] = [];
  isVerifying = true;
  /** Never answers while it is set. */
  isHanging = false;

  constructor(override readonly backend: BackendKind) {
    super();
  }

  override async provide(
    { present, removed }: ProvisioningChange,
    signal: AbortSignal,
  ): Promise<readonly ProvisioningFailure[]> {
    if (this.isHanging) {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    }
    present.forEach((tenant) => this.differing.delete(tenant));
    this.calls.push(...present.map((id) => `+${id}`), ...removed.map((id) => `-${id}`));
    return [...present, ...removed]
      .filter((tenant) => this.failing.has(tenant))
      .map((tenant) => ({ tenant, reason: 'connection refused' }));
  }

  override async verify(tenant: TenantId): Promise<readonly string[]> {
    this.verified.push(tenant);
    if (!this.isVerifying) {
      throw new Error('connection refused');
    }
    return [...(this.differing.get(tenant) ?? []), ...(this.unrepairable.get(tenant) ?? [])];
  }

  /** What has been done since the last time. */
  take(): string[] {
    return this.calls.splice(0);
  }
}

describe(ProvisioningDuty.name, () => {
  let store: MemoryStore;
  let redis: FakeProvisioner;
  let kafka: FakeProvisioner;
  let term: AbortController;
  let running: Promise<void>;
  let lease: HeldLease;
  let settingsDigest: string;
  let repairs: BackendKind[];

  beforeEach(async () => {
    Logger.overrideLogger(false);
    jest.useFakeTimers({ now: Date.UTC(2026, 10, 20) });
    store = new MemoryStore();
    [redis, kafka] = [new FakeProvisioner('redis'), new FakeProvisioner('kafka')];
    lease = await store.leases.acquire('leader', 'replica-1', 60_000);
    running = Promise.resolve();
    term = new AbortController();
    settingsDigest = 'as-configured';
    repairs = [];
  });

  afterEach(async () => {
    await end();
    jest.useRealTimers();
  });

  /** Another replica leads, with a table of its own. */
  async function begin(provisioners: readonly FakeProvisioner[] = [redis, kafka]): Promise<void> {
    const table = new RoutingTable(routingSettings());
    const caughtUp = async (): Promise<RoutingTable> => {
      table.apply(await store.tenants.changesSince(table.revision, 1000));
      return table;
    };
    term = new AbortController();
    const backends = provisioners.map((provisioner) => ({ provisioner, settingsDigest }));
    const onRepair = (backend: BackendKind): unknown => repairs.push(backend);
    running = new ProvisioningDuty(store, { caughtUp }, async () => backends, onRepair).run({
      signal: term.signal,
      lease: () => lease,
      isHeld: () => true,
    });
    await pass(0);
  }

  async function end(): Promise<void> {
    term.abort();
    await running;
  }

  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  async function register(...ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await store.tenants.register(
        parseTenantId(id),
        'api',
        { namespacePatterns: [parseNamespacePattern(id)] },
        CHANGE,
      );
    }
  }

  const remove = (id: string): Promise<void> => store.tenants.remove(parseTenantId(id), CHANGE, { source: 'api' });

  async function pending(backend: BackendKind): Promise<unknown> {
    const [status] = await store.operations.statuses();
    const detail = status?.detail as { backends: { backend: string; pending: unknown[] }[] } | undefined;
    return detail?.backends.find((one) => one.backend === backend)?.pending;
  }

  it('provides for those who are there, and for those who come, once', async () => {
    await register('acme', 'bolt', 'corp');
    await begin();
    expect(redis.take()).toEqual(['+acme', '+bolt', '+corp']);
    await register('dyna');
    await pass(500);
    expect([redis.take(), kafka.take()]).toEqual([['+dyna'], ['+acme', '+bolt', '+corp', '+dyna']]);
    await pass(600_000);
    expect(redis.take()).toEqual([]);
  });

  it('takes back from those who go, also when they came and went before anybody looked', async () => {
    await register('acme', 'bolt');
    await remove('bolt');
    await begin();
    await remove('acme');
    await pass(500);
    expect(redis.take()).toEqual(['+acme', '-bolt', '-acme']);
  });

  it('tries again with growing pauses, and goes on with others meanwhile', async () => {
    redis.failing.add(parseTenantId('acme'));
    await register('acme');
    await begin();
    await register('bolt');
    await pass(1999);
    expect(redis.take()).toEqual(['+acme', '+bolt']);
    await pass(501);
    expect(redis.take()).toEqual(['+acme']);
    await pass(3400);
    expect(redis.take()).toEqual([]);
    await pass(1000);
    expect(redis.take()).toEqual(['+acme']);
  });

  it('says who is pending and why, until it is done', async () => {
    redis.failing.add(parseTenantId('acme'));
    await register('acme');
    await begin();
    expect([await pending('redis'), await pending('kafka')]).toEqual([
      [{ tenant: 'acme', reason: 'connection refused', next_attempt_at: '2026-11-20T00:00:02.000Z' }],
      [],
    ]);
    redis.failing.clear();
    await pass(2500);
    expect(await pending('redis')).toEqual([]);
  });

  it('does not let one backend wait for another', async () => {
    redis.isHanging = true;
    await register('acme');
    await begin();
    await register('bolt');
    await pass(500);
    expect(kafka.take()).toEqual(['+acme', '+bolt']);
  });

  it('goes on where the last leader has stopped, first of all with what it could not do', async () => {
    redis.failing.add(parseTenantId('acme'));
    await register('acme', 'bolt');
    await begin();
    redis.take();
    await end();
    await remove('acme');
    await begin();
    expect([redis.take(), kafka.take()]).toEqual([['-acme'], ['+acme', '+bolt', '-acme']]);
  });

  it('begins again on a backend that is new, or configured otherwise', async () => {
    await register('acme');
    await begin([redis]);
    await end();
    redis.take();
    await begin([redis, kafka]);
    expect([redis.take(), kafka.take()]).toEqual([[], ['+acme']]);
    await end();
    settingsDigest = 'otherwise';
    await begin([redis]);
    expect(redis.take()).toEqual(['+acme']);
  });

  it('begins nothing new while a thousand are pending', async () => {
    redis.batchSize = 250;
    const ids = Array.from({ length: 1003 }, (_, at) => `tenant-${String(at).padStart(4, '0')}`);
    ids.forEach((id) => redis.failing.add(parseTenantId(id)));
    await register(...ids);
    await begin([redis]);
    expect(new Set(redis.take()).size).toBe(1000);
    redis.failing.clear();
    await pass(10_000);
    expect(redis.take()).toEqual(expect.arrayContaining(['+tenant-1000', '+tenant-1001', '+tenant-1002']));
  });

  describe('verification', () => {
    const verification = async (): Promise<unknown> => {
      const [status] = await store.operations.statuses();
      const detail = status?.detail as { backends: { verification: unknown }[] } | undefined;
      return detail?.backends[0]?.verification;
    };

    it('looks at every tenant, a few at a time, and again five minutes later', async () => {
      const ids = Array.from({ length: 7 }, (_, at) => `tenant-${at}`);
      await register(...ids);
      await begin([redis]);
      expect(redis.verified).toEqual(ids.slice(0, 5));
      await pass(299_000);
      expect(redis.verified).toEqual(ids);
      await pass(3000);
      expect(redis.verified).toEqual([...ids, ...ids]);
      expect(redis.take()).toEqual(ids.map((id) => `+${id}`));
    });

    it('repairs what differs, and says so in the status, in the log and to whoever counts', async () => {
      await register('acme', 'bolt');
      await begin([redis]);
      await pass(1000);
      redis.take();
      redis.differing.set('bolt', ['role tenant_bolt: has another password']);
      await pass(301_000);
      expect(redis.take()).toEqual(['+bolt']);
      expect(await verification()).toMatchObject({
        repairs: [{ tenant: 'bolt', differences: ['role tenant_bolt: has another password'] }],
        unrepaired: [],
      });
      while ((await store.log.seal()) > 0);
      expect(await store.log.list({ limit: 10, action: 'tenant.repair' })).toMatchObject([
        { tenantId: 'bolt', detail: { backend: 'redis', differences: ['role tenant_bolt: has another password'] } },
      ]);
      expect(repairs).toEqual(['redis']);
    });

    it('has who cannot be repaired pending', async () => {
      await register('acme');
      await begin([redis]);
      await pass(1000);
      redis.differing.set('acme', ['role tenant_acme: owns a table']);
      redis.failing.add(parseTenantId('acme'));
      await pass(301_000);
      expect(await pending('redis')).toMatchObject([{ tenant: 'acme', reason: 'connection refused' }]);
      expect(repairs).toEqual([]);
    });

    it('lists what stays different, and provides for it once', async () => {
      await register('acme');
      redis.unrepairable.set('acme', ['user default: it needs no password']);
      await begin([redis]);
      await pass(1000);
      expect(redis.take()).toEqual(['+acme', '+acme']);
      await pass(700_000);
      expect(redis.take()).toEqual([]);
      expect(await verification()).toMatchObject({
        unrepaired: [{ tenant: 'acme', differences: ['user default: it needs no password'] }],
        repairs: [],
      });
      expect(repairs).toEqual([]);
    });

    it('says why tenants cannot be verified, until they can', async () => {
      await register('acme', 'bolt');
      redis.isVerifying = false;
      await begin([redis]);
      await pass(1000);
      expect(await verification()).toMatchObject({
        error: '2 tenants could not be verified, first acme: connection refused',
      });
      redis.isVerifying = true;
      await pass(301_000);
      expect(await verification()).not.toHaveProperty('error');
    });

    it('makes nothing for a tenant that is removed within a round', async () => {
      await register(...Array.from({ length: 6 }, (_, at) => `tenant-${at}`));
      await begin([redis]);
      redis.differing.set('tenant-5', ['there is no such user']);
      await remove('tenant-5');
      redis.take();
      await pass(1500);
      expect(redis.take()).toEqual(['-tenant-5']);
      expect(redis.verified).not.toContain('tenant-5');
    });
  });

  it('does not take new tenants for removed ones while the registry cannot be read', async () => {
    await register('acme');
    const stale = new RoutingTable(routingSettings());
    const duty = new ProvisioningDuty(store, { caughtUp: async () => stale }, async () => [
      { provisioner: redis, settingsDigest },
    ]);
    running = duty.run({ signal: term.signal, lease: () => lease, isHeld: () => true });
    await pass(1000);
    expect(redis.take()).toEqual([]);
  });
});
