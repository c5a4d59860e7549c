import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SYSTEM_CLOCK } from '@palisade/async';
import {
  parseNamespaceId,
  type CapDemand,
  type CompletePolicy,
  type PolicyChange,
  type TenantPolicy,
} from '@palisade/domain';
import { IsolationPolicy } from '../policy/isolation-policy.js';
import { FakeDriver } from '../../test/support/fake-driver.js';
import { eventOf, FAKE_TOKEN, FakeControlPlane } from '../../test/support/fake-control-plane.js';
import { waitUntil } from '../../test/support/wait-until.js';
import { ControlPlaneClient } from './control-plane-client.js';
import { GovernedProxy, type GovernedProxyOptions } from './governed-proxy.js';

const CONFIGURATION = 'c0ffee';
const DEAD = 'http://127.0.0.1:9';

const ACME: TenantPolicy = {
  tenant_id: 'acme',
  namespaces: ['acme-*'],
  connection_pools: { postgres: { connections_per_namespace: 6 } },
};

function createPolicy(perNamespace = 2): IsolationPolicy {
  return new IsolationPolicy({
    settings: {
      isolation_level: 'namespace',
      connection_pools: {
        postgres: { connections_per_namespace: perNamespace, max_total_connections: 5 * perNamespace },
      },
    },
    backends: { postgres: new FakeDriver({ clock: SYSTEM_CLOCK }) },
    proxyPool: 'standard',
  });
}

function policy(overrides: Partial<CompletePolicy> = {}): CompletePolicy {
  return {
    revision: 7,
    configuration: CONFIGURATION,
    pool: 'standard',
    settings: {},
    tenants: [ACME],
    ...overrides,
  };
}

function change(overrides: Partial<PolicyChange> = {}): PolicyChange {
  return { from: 7, revision: 8, tenants: [], removed: [], ...overrides };
}

let fake: FakeControlPlane;
let target: IsolationPolicy;
let directory: string;
let copyFile: string;
let logged: string[];
const running: GovernedProxy[] = [];

beforeEach(async () => {
  fake = await FakeControlPlane.start();
  target = createPolicy();
  directory = mkdtempSync(join(tmpdir(), 'palisade-governed-'));
  copyFile = join(directory, 'policy.json');
  logged = [];
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((proxy) => proxy.onModuleDestroy()));
  await fake[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

interface StartOptions extends Partial<GovernedProxyOptions> {
  readonly urls?: readonly string[];
  readonly maxPolicyLength?: number;
}

async function start({ urls = [fake.url], maxPolicyLength, ...options }: StartOptions = {}): Promise<GovernedProxy> {
  const note = (message: string): void => void logged.push(message);
  const proxy = new GovernedProxy({
    client: new ControlPlaneClient({ urls, token: FAKE_TOKEN, timeoutMs: 300, silenceMs: 200, maxPolicyLength }),
    identity: { id: 'p1', pool: 'standard', host: '10.0.0.7', port: 8080 },
    policy: target,
    copyFile,
    logger: { log: note, warn: note, error: note },
    startPatienceMs: 500,
    ...options,
  });
  running.push(proxy);
  await proxy.onModuleInit();
  return proxy;
}

/** Ends a proxy, as a restart does. */
async function stop(proxy: GovernedProxy): Promise<void> {
  running.splice(running.indexOf(proxy), 1);
  await proxy.onModuleDestroy();
}

/** Keeps streams alive, as a control plane does. */
function keepAlive(): Disposable {
  const timer = setInterval(() => fake.write(': alive\n\n'), 50);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

const tenantOf = (namespace: string) => target.tenantOf(parseNamespaceId(namespace));

const reported = () => fake.heartbeats.at(-1)?.policy;

describe(GovernedProxy.name, () => {
  let alive: Disposable;

  beforeEach(() => {
    alive = keepAlive();
    fake.greeting = [eventOf('policy', policy(), `${CONFIGURATION}:7`)];
  });

  afterEach(() => alive[Symbol.dispose]());

  it('registers, and has the policy of its pool in force when it has started', async () => {
    const proxy = await start();
    expect(fake.registrations).toEqual([{ id: 'p1', pool: 'standard', host: '10.0.0.7', port: 8080 }]);
    expect(tenantOf('acme-1')).toBe('acme');
    expect(proxy.snapshot()).toMatchObject({ revision: 7, source: 'stream', isConnected: true });
  });

  it('applies each change, and says so at once', async () => {
    await start();
    fake.sendChange(
      change({ tenants: [{ tenant_id: 'bolt', namespaces: ['bolt'] }], removed: ['acme'] }),
      CONFIGURATION,
    );
    await waitUntil(() => reported()?.revision === 8, 'revision 8 is reported');
    expect([tenantOf('acme-1'), tenantOf('bolt')]).toEqual([undefined, 'bolt']);
  });

  it('[a policy or change that it cannot apply] keeps the one in force, says why at once, and takes the next one whole', async () => {
    await start();
    const tenants = [{ tenant_id: 'bolt', namespaces: ['bolt'], isolation_level: 'galaxy' as never }];
    fake.sendChange(change({ tenants }), CONFIGURATION);
    await waitUntil(() => reported()?.rejected !== undefined, 'the rejection is reported');
    const reason = expect.stringMatching(/^tenants\[0\]\.isolation_level: /);
    expect(reported()).toMatchObject({ revision: 7, rejected: { revision: 8, reason } });

    fake.greeting = [eventOf('change', change({ revision: 9, removed: ['acme'] }), `${CONFIGURATION}:9`)];
    fake.sendChange(change({ from: 8, revision: 9 }), CONFIGURATION);
    await waitUntil(() => reported()?.revision === 9, 'the next revision is reported');
    expect([reported()?.rejected, fake.resumedAfter]).toEqual([undefined, [undefined, `${CONFIGURATION}:7`]]);
  });

  it('[a change that starts from another revision] asks for the complete policy', async () => {
    await start();
    fake.greeting = [eventOf('change', change({ from: 3, revision: 9 }), `${CONFIGURATION}:9`)];
    fake.cut();
    await waitUntil(() => fake.resumedAfter.length >= 3, 'it is asked for');
    expect(fake.resumedAfter.slice(0, 3)).toEqual([undefined, `${CONFIGURATION}:7`, undefined]);
  });

  it.each<[string, string, RegExp]>([
    ['is no JSON', 'event: policy\nid: c0ffee:9\ndata: {"revision":\n\n', /expected a JSON object/],
    ['is a list', 'event: policy\nid: c0ffee:9\ndata: []\n\n', /expected a JSON object/],
    ['lacks something', eventOf('policy', { ...policy({ revision: 9 }), settings: undefined }, 'c0ffee:9'), /settings/],
    [
      'has tenants without namespaces',
      eventOf('policy', policy({ tenants: [{} as never] }), 'c0ffee:9'),
      /tenants\[0\]\.tenant_id/,
    ],
    ['is of another pool', eventOf('policy', policy({ revision: 9, pool: 'premium' }), 'c0ffee:9'), /found "premium"/],
    ['is older than the one in force', eventOf('policy', policy({ revision: 6 }), 'c0ffee:6'), /expected 7 at least/],
  ])(
    '[a policy that is malformed or of another pool] rejects one that %s, and keeps the one in force',
    async (_, text, reason) => {
      await start();
      fake.write(text);
      await waitUntil(() => reported()?.rejected !== undefined, 'the rejection is reported');
      expect([target.revision, reported()?.rejected?.reason]).toEqual([7, expect.stringMatching(reason)]);
    },
  );

  it('[an older revision] takes one of a store that was restored, and any of another configuration', async () => {
    await start();
    fake.sendPolicy(policy({ revision: 5, restored: true }));
    await waitUntil(() => reported()?.revision === 5, 'the older revision is reported');
    fake.sendPolicy(policy({ revision: 2, configuration: 'decaf' }));
    await waitUntil(() => reported()?.revision === 2, 'the other configuration is reported');
    expect(reported()?.rejected).toBeUndefined();
  });

  it.each<[string, string, RegExp]>([
    [
      'policy',
      eventOf('policy', { ...policy({ revision: 9 }), tenant: [] }, 'c0ffee:9'),
      /^tenant: .*did you mean tenants/,
    ],
    [
      'tenant',
      eventOf('policy', policy({ revision: 9, tenants: [{ ...ACME, jurisdiction: 'eu' } as never] }), 'c0ffee:9'),
      /^tenants\[0\]\.jurisdiction: unknown key/,
    ],
  ])(
    '[a policy of a later version, with keys that it does not know] rejects it with a key of the %s',
    async (_, text, reason) => {
      await start();
      fake.write(text);
      await waitUntil(() => reported()?.rejected !== undefined, 'the rejection is reported');
      expect([target.revision, reported()?.rejected?.reason]).toEqual([7, expect.stringMatching(reason)]);
    },
  );

  it('[a policy that is too large (64 Mi characters)] keeps the one before, and says so', async () => {
    const proxy = await start({ maxPolicyLength: 1000 });
    fake.sendPolicy(policy({ revision: 9, tenants: [{ ...ACME, namespaces: ['x'.repeat(1000)] }] }));
    await waitUntil(() => logged.join().includes('more than 1000 characters'), 'it is said');
    expect(proxy.snapshot()).toMatchObject({ revision: 7, source: 'stream' });
  });

  it('[a credential that is for another proxy] has no policy, and says why', async () => {
    fake.token = 'of-another-proxy';
    const proxy = await start();
    expect([target.revision, proxy.snapshot().source]).toEqual([undefined, 'none']);
    expect(logged.join()).toContain('401 UNAUTHENTICATED');
  });

  it('[404 for its id] registers again', async () => {
    await start();
    fake.isKnown = false;
    fake.cut();
    await expect(waitUntil(() => fake.registrations.length === 2, 'it registers')).resolves.toBeUndefined();
  });

  it('[a stream that stalls, also in mid-event] goes on where it was', async () => {
    await start();
    alive[Symbol.dispose]();
    fake.greeting = [eventOf('change', change(), `${CONFIGURATION}:8`)];
    fake.write('event: change\ndata: {"from":7,');
    await waitUntil(() => target.revision === 8, 'the change is applied');
    expect(fake.resumedAfter.at(-1)).toBe(`${CONFIGURATION}:7`);
  });

  it('[no control plane] goes on at the next URL', async () => {
    await using other = await FakeControlPlane.start();
    other.isKnown = true;
    other.greeting = [eventOf('change', change(), `${CONFIGURATION}:8`)];
    await start({ urls: [fake.url, other.url] });
    await fake[Symbol.asyncDispose]();
    await waitUntil(() => other.heartbeats.at(-1)?.policy?.revision === 8, 'the other one is told');
    expect(other.resumedAfter).toContain(`${CONFIGURATION}:7`);
    fake = await FakeControlPlane.start();
  });

  it('removes itself at its end', async () => {
    await stop(await start());
    expect(fake.removed).toEqual(['p1']);
  });

  describe('the copy on disk', () => {
    it('[no control plane when it starts] is what the proxy goes by, and says how old it is', async () => {
      const proxy = await start();
      fake.sendChange(change({ tenants: [{ tenant_id: 'bolt', namespaces: ['bolt'] }] }), CONFIGURATION);
      await waitUntil(() => target.revision === 8, 'the change is applied');
      await stop(proxy);
      target = createPolicy();
      const next = await start({ urls: [DEAD] });
      expect(next.snapshot()).toMatchObject({ revision: 8, source: 'disk', isConnected: false });
      expect([tenantOf('bolt'), logged.join()]).toEqual(['bolt', expect.stringContaining('confirmed 0 s ago')]);
    });

    it('is followed by what has changed since', async () => {
      await stop(await start());
      target = createPolicy();
      fake.handle = (_, response) => response.writeHead(503).end();
      await start();
      fake.greeting = [eventOf('change', change(), `${CONFIGURATION}:8`)];
      fake.handle = undefined;
      await waitUntil(() => target.revision === 8, 'the change is applied');
      expect(fake.resumedAfter).toEqual([undefined, `${CONFIGURATION}:7`]);
    });

    it.each([
      ['there is none', () => {}],
      ['it is broken', (path: string) => writeFileSync(path, 'x')],
      ['it is a directory', (path: string) => void mkdirSync(path)],
    ])(
      '[a copy that is damaged, of another pool, of a newer format, or dated in the future] does not help when %s: then there is no policy',
      async (_, prepare) => {
        prepare(copyFile);
        const proxy = await start({ urls: [DEAD] });
        expect([target.revision, proxy.snapshot().source]).toEqual([undefined, 'none']);
      },
    );

    it('does not help when the settings of this program cannot do it any more', async () => {
      await stop(await start());
      const lines = readFileSync(copyFile, 'utf8');
      target = createPolicy(1);
      const proxy = await start({ urls: [DEAD] });
      expect([proxy.snapshot().source, logged.join()]).toEqual([
        'none',
        expect.stringContaining('expected at most the cap (5)'),
      ]);
      expect(readFileSync(copyFile, 'utf8')).toBe(lines);
    });

    it('does not stop a proxy that cannot write it, which says so', async () => {
      const proxy = await start({ copyFile: join(directory, 'absent', 'policy.json') });
      await waitUntil(() => proxy.snapshot().copyProblem !== undefined, 'the problem is reported');
      expect([target.revision, logged.join()]).toEqual([7, expect.stringContaining('cannot be written')]);
    });
  });

  describe('caps', () => {
    const idle: CapDemand = { limit: 10, in_use: 2, waiting: 0, least: 1, hold_seconds: 10 };

    it('says what it needs, and takes its part', async () => {
      const applied: unknown[] = [];
      const part = { sequence: 1, limit: 25, valid_seconds: 30, base: 10, base_valid_seconds: 900 };
      fake.caps = { postgres: part };
      await start({ caps: { demand: () => ({ postgres: idle }), apply: (parts) => applied.push(parts) } });
      await waitUntil(() => applied.length > 0, 'a part is applied');
      expect([fake.heartbeats[0]?.caps, applied[0]]).toEqual([{ postgres: idle }, { postgres: part }]);
    });

    it('says early that it needs more, and not that a little more is in use', async () => {
      let demand = idle;
      await start({ caps: { demand: () => ({ postgres: demand }), apply: () => {} } });
      await waitUntil(() => fake.heartbeats.at(-1)?.policy?.revision === 7, 'the policy is reported');
      // What the start has to say is said, and later a heartbeat could be sent twice.
      await sleep(600);
      demand = { ...idle, in_use: 3 };
      const before = fake.heartbeats.length;
      await sleep(600);
      expect(fake.heartbeats.length).toBe(before);
      demand = { ...idle, in_use: 10, waiting: 5 };
      await waitUntil(() => fake.heartbeats.at(-1)?.caps?.['postgres']?.waiting === 5, 'the need is reported');
    });
  });
});
