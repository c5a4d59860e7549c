import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import { SYSTEM_CLOCK } from '@palisade/async';
import type { CompletePolicy, LogRecord } from '@palisade/domain';
import { eventOf, FAKE_TOKEN, FakeControlPlane } from '../test/support/fake-control-plane.js';
import { ALICE, BOB, PER_NAMESPACE, PER_SESSION } from '../test/support/isolation-world.js';
import { ScopedDriver, type FakeClient } from '../test/support/scoped-driver.js';
import { waitUntil } from '../test/support/wait-until.js';
import type { ControlPlaneOptions } from './isolation-options.js';
import { GovernedProxy } from './control-plane/governed-proxy.js';
import { IsolationModule } from './isolation.module.js';
import { IsolationSessions } from './isolation-sessions.js';
import { Isolation } from './isolation.js';
import type { IsolationCaller } from './running/connection-source.js';

const ADA: IsolationCaller = { ...ALICE, access: { user: 'user:scim:okta:ada', relation: 'write' } };
const SERVICE: IsolationCaller = { ...ALICE, clientId: 'service' };
const WRITES = { groups: ['group:scim:okta:eng'], relation: 'write' };
const POLICY: CompletePolicy = {
  revision: 7,
  configuration: 'c0ffee',
  pool: 'standard',
  settings: {},
  tenants: [{ tenant_id: 'acme', namespaces: ['acme'] }],
};

let fake: FakeControlPlane;
let directory: string;
let module: TestingModule;
let records: LogRecord[];
let confirming: NodeJS.Timeout;

beforeEach(async () => {
  fake = await FakeControlPlane.start();
  fake.greeting = [eventOf('policy', POLICY, 'c0ffee:7')];
  fake.answer = () => ({ allowed: true, because: WRITES });
  directory = mkdtempSync(join(tmpdir(), 'palisade-governed-'));
  records = [];
  confirming = setInterval(() => fake.sendAccess(), 50);
});

afterEach(async () => {
  clearInterval(confirming);
  await module.close();
  await fake[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

async function start(settings: object = PER_NAMESPACE, options: Partial<ControlPlaneOptions> = {}): Promise<void> {
  const driver = new ScopedDriver({ clock: SYSTEM_CLOCK, connectMs: 0, closeMs: 0 });
  module = await Test.createTestingModule({
    imports: [
      IsolationModule.forRoot({
        settings: { ...settings, audit: { log_actions: true } },
        backends: { fake: driver },
        actionSink: { write: async (written) => void records.push(...written) },
        controlPlane: {
          urls: [fake.url],
          token: FAKE_TOKEN,
          proxy: { id: 'p1', pool: 'standard', host: '10.0.0.7', port: 8080 },
          copyFile: join(directory, 'policy.json'),
          decidesAccess: true,
          accessLeaseMs: 1000,
          ...options,
        },
        shutdownGraceMs: 100,
      }),
    ],
  }).compile();
  module.enableShutdownHooks([]);
  await module.init();
}

function run<T>(work: (client: FakeClient) => Promise<T>, caller: IsolationCaller = ADA): Promise<T> {
  return module.get(Isolation).run(caller, 'fake', ScopedDriver, work);
}

/** Work that ends when its client is told to. */
function untilTold({ context }: FakeClient): Promise<never> {
  return new Promise((_, reject) => {
    context.signal.addEventListener('abort', () => reject(context.signal.reason));
  });
}

const nothing = async () => {};

/** Has the user be nobody any more, and says so. */
function revoke(): void {
  fake.answer = () => ({ allowed: false, reason: 'inactive_user' });
  fake.sendAccess({ users: ['user:scim:okta:ada'] });
}

describe(`${IsolationModule.name} under a control plane`, () => {
  it('serves the namespaces of its pool when it has started', async () => {
    await start();
    await expect(run(async ({ namespace }) => namespace, ALICE)).resolves.toBe('acme');
    await expect(run(nothing, BOB)).rejects.toMatchObject({ code: 'NAMESPACE_NOT_SERVED' });
  });

  it('serves nothing without a policy', async () => {
    await start(PER_NAMESPACE, { urls: ['http://127.0.0.1:9'] });
    await expect(run(nothing, ALICE)).rejects.toMatchObject({ code: 'NO_POLICY', retryAfterSeconds: 1 });
  });

  it('runs alone without a control plane', async () => {
    const driver = new ScopedDriver({ clock: SYSTEM_CLOCK, connectMs: 0, closeMs: 0 });
    const imports = [IsolationModule.forRoot({ settings: PER_NAMESPACE, backends: { fake: driver } })];
    module = await Test.createTestingModule({ imports }).compile();
    await module.init();
    await expect(run(async ({ namespace }) => namespace, ADA)).resolves.toBe('acme');
    expect(module.get(GovernedProxy)).toBeUndefined();
  });

  describe('access', () => {
    it('says in the record why a user may do it', async () => {
      await start();
      await run(nothing);
      await waitUntil(() => records.length > 0, 'the record is written');
      expect(records[0]).toMatchObject({ result: 'success', detail: { because: WRITES } });
    });

    it('denies what a user may not do, and records why not', async () => {
      fake.answer = () => ({ allowed: false, reason: 'no_relation' });
      await start();
      await expect(run(nothing)).rejects.toMatchObject({ code: 'ACCESS_DENIED', reason: 'no_relation' });
      await waitUntil(() => records.length > 0, 'the record is written');
      expect(records[0]).toMatchObject({ result: 'denied', detail: { code: 'ACCESS_DENIED' } });
    });

    it('is not asked for callers who are no users', async () => {
      await start();
      await run(nothing, ALICE);
      expect(fake.questions).toEqual([]);
    });

    it('is not asked when the control plane does not decide it', async () => {
      await start(PER_NAMESPACE, { decidesAccess: false });
      await run(nothing);
      expect(fake.questions).toEqual([]);
    });

    it('ends work that runs, and work that waits, when it is lost', async () => {
      await start();
      const working = [run(untilTold), run(untilTold), run(untilTold)].map((work) =>
        expect(work).rejects.toMatchObject({ code: 'ACCESS_DENIED' }),
      );
      await waitUntil(() => fake.questions.length > 0, 'access is asked');
      const service = run(async () => 'done', ALICE);
      revoke();
      await Promise.all(working);
      await expect(service).resolves.toBe('done');
    });

    it('ends the sessions of the user when it is lost, and no others', async () => {
      await start(PER_SESSION);
      const sessions = module.get(IsolationSessions);
      const own = await sessions.open(ADA);
      const other = await sessions.open(SERVICE);
      revoke();
      await waitUntil(() => own.state === 'destroyed', 'the session ends');
      expect(other.state).toBe('active');
      await expect(sessions.open(ADA)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    });

    it('ends with the lease while the control plane is silent, except of callers who are no users', async () => {
      await start(PER_SESSION);
      const sessions = module.get(IsolationSessions);
      const own = await sessions.open(ADA);
      const other = await sessions.open(SERVICE);
      clearInterval(confirming);
      await waitUntil(() => own.state === 'destroyed', 'the session ends');
      await expect(sessions.open(ADA)).rejects.toMatchObject({ code: 'ACCESS_UNKNOWN', retryAfterSeconds: 1 });
      expect(other.state).toBe('active');
    });
  });
});
