import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Test } from '@nestjs/testing';
import { time } from '@datadog/pprof';
import { afterEach, describe, expect, it } from '@jest/globals';
import { IsolationModule } from '../src/isolation.module.js';
import { Isolation } from '../src/isolation.js';
import { SYSTEM_CLOCK } from '@palisade/async';
import { ThreadProfiler } from '../src/usage/thread-profiler.js';
import { UsageService } from '../src/usage/usage.service.js';
import { ALICE, BOB, PER_NAMESPACE, SHARED } from './support/isolation-world.js';
import { ScopedDriver } from './support/scoped-driver.js';

const ROOT = join(import.meta.dirname, '../../..');
const LIMITED = { resource_limits: { per_namespace: { cpu: '100m' }, cpu_window: '1s' } };

/** Only to end what hangs: it takes seconds of CPU time, which a busy machine may give late. */
const TIMEOUT_MS = 180_000;

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) {
    await cleanUp();
  }
});

async function createModule(settings: object) {
  const driver = new ScopedDriver({ clock: SYSTEM_CLOCK, connectMs: 0, closeMs: 0 });
  const module = await Test.createTestingModule({
    imports: [IsolationModule.forRoot({ settings, backends: { fake: driver } })],
  }).compile();
  await module.init();
  cleanups.push(() => module.close());
  return { isolation: module.get(Isolation), usage: module.get(UsageService), module };
}

async function compute(): Promise<void> {
  let sum = 0;
  for (let round = 0; round < 1_000_000; round++) {
    sum += Math.sqrt(sum + round);
  }
}

/** Does work for a caller until something is rejected. */
async function computeUntilRejected(isolation: Isolation, caller = ALICE): Promise<unknown> {
  for (;;) {
    try {
      await isolation.run(caller, 'fake', ScopedDriver, compute);
    } catch (error) {
      return error;
    }
    await new Promise((resolve) => setImmediate(resolve)); // reports are made by the event loop
  }
}

/** CPU milliseconds that the program was charged. */
async function runProgram(...args: string[]): Promise<Record<'noisy' | 'quiet', number>> {
  const hooks = './bench/isolation/typescript-hooks.mjs';
  const program = 'libs/isolation/test/support/cpu-usage-program.ts';
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--enable-source-maps', '--import', hooks, program, ...args],
    { cwd: ROOT, env: { ...process.env, NODE_OPTIONS: '' } },
  );
  return JSON.parse(stdout) as Record<'noisy' | 'quiet', number>;
}

describe(ThreadProfiler.name, () => {
  it(
    'tells a noisy namespace from a quiet one',
    async () => {
      const charged = await runProgram();
      expect(charged.noisy).toBeGreaterThan(3 * charged.quiet);
      expect(charged.quiet).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  it(
    'works in a worker thread, also after others were ended while it worked there',
    async () => {
      const charged = await runProgram('workers');
      expect(charged.noisy).toBeGreaterThan(charged.quiet);
    },
    TIMEOUT_MS,
  );

  it.each([
    ['without limits', PER_NAMESPACE],
    [
      'with limits of something else',
      { ...PER_NAMESPACE, resource_limits: { per_namespace: { memory: '1Gi', max_rps: 10 } } },
    ],
  ])('does not run %s', async (_, settings) => {
    await createModule(settings);
    expect(time.isStarted()).toBe(false);
  });

  it('runs while a module wants it, whichever of them ends first', async () => {
    const first = await createModule({ ...PER_NAMESPACE, ...LIMITED });
    await createModule({ ...PER_NAMESPACE, usage: { cpu: true } });
    await first.module.close();
    expect(time.isStarted()).toBe(true);
    await cleanups.pop()?.();
    expect(time.isStarted()).toBe(false);
  });

  it('stops the start when somebody else profiles the thread', async () => {
    time.start({});
    cleanups.push(() => void time.stop());
    await expect(createModule({ ...PER_NAMESPACE, ...LIMITED })).rejects.toMatchObject({
      code: 'CPU_USAGE_UNAVAILABLE',
      message: expect.stringContaining('already started'),
    });
  });
});

describe(`${Isolation.name} with a limit of CPU time`, () => {
  it.each([
    ['namespace', PER_NAMESPACE],
    ['none', SHARED],
  ])(
    'rejects whoever is above their share, and nobody else, at the level %s',
    async (_, settings) => {
      const { isolation, usage } = await createModule({ ...settings, ...LIMITED });
      await expect(computeUntilRejected(isolation)).resolves.toMatchObject({ code: 'CPU_LIMIT', namespace: 'acme' });
      await expect(isolation.run(BOB, 'fake', ScopedDriver, async () => 1)).resolves.toBe(1);
      expect(usage.find(ALICE.namespace)?.cpuSeconds).toBeGreaterThan(0.1);
      expect(usage.find(BOB.namespace)?.cpuSeconds).toBeLessThan(0.1);
    },
    TIMEOUT_MS,
  );

  it('counts what is done for a namespace outside of runs when told to', async () => {
    const { isolation, usage } = await createModule({ ...PER_NAMESPACE, usage: { cpu: true } });
    const cpuSeconds = () => usage.find(ALICE.namespace)?.cpuSeconds ?? 0;
    await isolation.charge(ALICE.namespace, async () => {
      while (cpuSeconds() === 0) {
        await compute();
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    expect(cpuSeconds()).toBeGreaterThan(0);
  });
});
