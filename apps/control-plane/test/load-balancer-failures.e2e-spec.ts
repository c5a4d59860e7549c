import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireBinary } from '../../../test/support/test-services.js';
import { ConfigurationChange } from '../src/load-balancer/configuration-change.js';
import { createLoadBalancer } from '../src/load-balancer/create-load-balancer.js';
import type { DesiredState } from '../src/routing/table/desired-state.js';
import { ConfigurationFiles } from '../src/load-balancer/files/configuration-files.js';
import type { LoadBalancerSettings } from '../src/config/control-plane-settings.js';
import { BalancerUnderTest, type BalancerOptions } from './support/load-balancer/balancer-under-test.js';
import { desiredServer, desiredState, type StateText } from './support/load-balancer/desired-states.js';
import { FailingFiles } from './support/load-balancer/failing-files.js';
import { balancerKinds } from './support/load-balancer/kinds.js';
import { EchoProxy } from './support/load-balancer/proxies.js';
import { until } from './support/load-balancer/server-program.js';

describe(ConfigurationChange.name, () => {
  let stack: AsyncDisposableStack;
  let pools: NonNullable<StateText['pools']>;
  let before: StateText;
  /** Needs a reload. */
  let after: DesiredState;
  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    const [a, b] = [stack.use(await EchoProxy.start('a')), stack.use(await EchoProxy.start('b'))];
    pools = { standard: [desiredServer('a', a.port)], premium: [desiredServer('b', b.port)] };
    before = { pools, routes: { acme: 'standard' } };
    after = desiredState({ revision: 2, pools: { ...pools, gold: pools['premium'] ?? [] }, routes: { acme: 'gold' } });
  });
  afterEach(() => stack.disposeAsync());

  const start = async (options: Partial<BalancerOptions> = {}) =>
    stack.use(
      await BalancerUnderTest.start(desiredState(before), {
        type: 'haproxy',
        binary: requireBinary('haproxy'),
        ...options,
      }),
    );
  /** As if the settings had been changed and the service restarted. */
  const restarted = ({ settings }: BalancerUnderTest, changes: Partial<LoadBalancerSettings>) =>
    createLoadBalancer({ ...settings, ...changes });
  const contents = ({ directory }: BalancerUnderTest) =>
    Object.fromEntries(
      readdirSync(directory, { withFileTypes: true })
        .filter(
          (entry) => entry.isFile() && !entry.name.endsWith('.last-good') && !/pid$|temp$|loaded$/.test(entry.name),
        )
        .map(({ name }) => [name, readFileSync(join(directory, name), 'utf8')]),
    );
  const leftovers = ({ directory }: BalancerUnderTest) =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => /staging|\.new$|trial/.test(name));

  describe.each(balancerKinds().map((kind) => [kind.type, kind] as const))('with %s', (type, kind) => {
    it('keeps the old configuration when the program finds fault with the new one', async () => {
      const under = await start(kind);
      const old = contents(under);
      const broken = restarted(under, { certificateFile: '/does/not/exist.pem' });
      const version = await broken.apply(after, 'test');
      expect(version).toMatchObject({
        result: 'rejected',
        method: 'none',
        reason: expect.stringContaining('exist.pem'),
      });
      expect(contents(under)).toEqual(old);
      expect(leftovers(under)).toEqual([]);
      expect(await under.routeOf('acme')).toBe('a');
    });

    it('keeps the old configuration when there is no such program', async () => {
      const under = await start(kind);
      const old = contents(under);
      const version = await restarted(under, { binary: '/does/not/exist' }).apply(after, 'test');
      expect(version).toMatchObject({ result: 'failed', reason: expect.stringContaining('could not be run') });
      expect(contents(under)).toEqual(old);
      expect(await under.routeOf('acme')).toBe('a');
    });

    it('goes back to the old configuration when the load balancer does not take the new one', async () => {
      const under = await start(kind);
      const old = contents(under);
      const occupied = createServer().listen(0, '127.0.0.1');
      await once(occupied, 'listening');
      stack.defer(() => void occupied.close());
      const { port } = occupied.address() as { port: number };
      const balancer = restarted(under, { bind: { host: '127.0.0.1', port }, commandTimeoutMs: 3000 });
      const version = await balancer.apply(after, 'test');
      expect(version).toMatchObject({ method: 'reload', result: 'rolled_back', reason: expect.any(String) });
      expect(contents(under)).toEqual(old);
      expect(leftovers(under)).toEqual([]);
      expect(await under.routeOf('acme')).toBe('a');
      expect(await under.apply(after)).toMatchObject({ result: 'applied' });
      expect(await under.routeOf('acme')).toBe('b');
    });

    it('leaves a checked configuration to a load balancer that does not run', async () => {
      const under = await start(kind);
      await under.stop();
      expect(await under.apply(after)).toMatchObject({
        result: 'failed',
        reason: expect.stringContaining('when it starts'),
      });
      await under.run();
      expect(await under.routeOf('acme')).toBe('b');
      expect((await under.apply(after)).result).toMatch(/^(unchanged|applied)$/);
    });

    it('does not overwrite what somebody else has written', async () => {
      const under = stack.use(await BalancerUnderTest.prepare(kind));
      writeFileSync(under.settings.configPath, '# mine\n');
      expect(await under.apply(after)).toMatchObject({
        result: 'rejected',
        reason: expect.stringContaining('was not written by the control plane'),
      });
      expect(readFileSync(under.settings.configPath, 'utf8')).toBe('# mine\n');
    });

    it('serves the old or the new configuration, whichever operation on files fails', async () => {
      const files = new FailingFiles('ENOSPC');
      const parts = ({ configPath }: LoadBalancerSettings) => ({ files: new ConfigurationFiles(configPath, files) });
      const under = await start({ ...kind, parts });
      for (let operation = 1, isReached = true; isReached; operation++) {
        files.failAt(operation);
        const version = await under.apply(after);
        isReached = files.operations >= operation;
        files.heal();
        const isNew = version.result === 'applied';
        expect(version.result).toMatch(isReached ? /^(applied|failed|rolled_back)$/ : /^applied$/);
        expect(await under.routeOf('acme')).toBe(isNew ? 'b' : 'a');
        expect(leftovers(under)).toEqual([]);
        expect((await under.apply(desiredState(before))).result).toMatch(/^(applied|unchanged)$/);
        expect(await under.routeOf('acme')).toBe('a');
      }
    });

    it.each(['ENOSPC', 'EACCES'])('tells about %s, and goes on when it is over', async (code) => {
      const files = new FailingFiles(code);
      const parts = ({ configPath }: LoadBalancerSettings) => ({ files: new ConfigurationFiles(configPath, files) });
      const under = await start({ ...kind, parts });
      files.failAlways();
      expect(await under.apply(after)).toMatchObject({ result: 'failed', reason: expect.stringContaining(code) });
      expect(await under.routeOf('acme')).toBe('a');
      files.heal();
      expect(await under.apply(after)).toMatchObject({ result: 'applied' });
      expect(await under.routeOf('acme')).toBe('b');
    });

    it('is not disturbed by what a process that was killed has left', async () => {
      const under = await start(kind);
      const main = basename(under.settings.configPath);
      const mark = join(under.directory, `.${main}.epoch-0`);
      await mkdir(join(mark, 'staging'));
      await writeFile(join(mark, 'staging', 'trial.cfg'), 'half');
      await writeFile(join(mark, `${main}.last-good.new`), 'half');
      expect(await under.apply(after)).toMatchObject({ result: 'applied' });
      expect(leftovers(under)).toEqual([]);
    });

    it('rejects a state that cannot be written', async () => {
      const under = await start(kind);
      const old = contents(under);
      const evil = { ...after, exact: new Map([['acme premium/64\n/evil.', 'gold' as never]]) };
      expect(await under.apply(evil)).toMatchObject({
        result: 'rejected',
        hash: '',
        reason: expect.stringContaining('a namespace'),
      });
      expect(contents(under)).toEqual(old);
      expect(type).toBe(kind.type);
    });
  });

  describe('with a command', () => {
    const script = (under: BalancerUnderTest, text: string): string => {
      const path = join(under.directory, 'script');
      writeFileSync(path, `#!/bin/sh\n${text}\n`);
      chmodSync(path, 0o755);
      return path;
    };
    const isAlive = (pidFile: string): boolean => {
      try {
        return process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
      } catch {
        return false;
      }
    };

    it('kills a check that hangs, with what it has started', async () => {
      const under = await start();
      const pidFile = join(under.directory, 'sleeper');
      const binary = script(under, `sleep 600 & echo $! > ${pidFile}; wait`);
      const version = await restarted(under, { binary, commandTimeoutMs: 1000 }).apply(after, 'test');
      expect(version).toMatchObject({
        result: 'failed',
        reason: expect.stringContaining('did not end within 1000 ms'),
      });
      expect(existsSync(pidFile)).toBe(true);
      await until(async () => !isAlive(pidFile), 'what the command had started to end');
      expect(await under.routeOf('acme')).toBe('a');
    });

    it.each([
      ['fails', 'echo "no such unit" >&2; exit 3', 'ended with exit code 3: no such unit'],
      ['hangs', 'sleep 600', 'did not end within 2000 ms'],
      ['does nothing', 'exit 0', 'no new worker 2000 ms after the reload'],
    ])('goes back to the old files when the reload command %s', async (_, text, reason) => {
      const under = await start();
      const old = contents(under);
      const settings = { reloadCommand: [script(under, text)], commandTimeoutMs: 2000 } as const;
      const balancer = restarted(under, settings);
      expect(await balancer.apply(desiredState(before), 'test')).toMatchObject({ result: 'unchanged' });
      const version = await balancer.apply(after, 'test');
      expect(version).toMatchObject({
        method: 'reload',
        result: 'rolled_back',
        reason: expect.stringContaining(reason),
      });
      rmSync(join(under.directory, 'script'));
      expect(contents(under)).toEqual(old);
      expect(await under.routeOf('acme')).toBe('a');
    });

    it('is not made to run anything by a text that a shell would understand', async () => {
      const under = await start();
      const mark = join(under.directory, 'mark');
      const reloadCommand = ['/bin/echo', `; touch ${mark}`, `$(touch ${mark})`] as const;
      await restarted(under, { reloadCommand, commandTimeoutMs: 500 }).reload(desiredState(before), 'test');
      expect(existsSync(mark)).toBe(false);
    });
  });

  it('reloads when a change at runtime does not succeed', async () => {
    const told: string[] = [];
    const under = await start({ parts: () => ({ onFallback: (what) => told.push(what) }) });
    // The name is taken, by a server that is not where it should be and cannot be moved there.
    const servers = [...(pools['standard'] ?? []), desiredServer('c', 9)];
    await under.ask('add server palisade-pool-standard/c unix@/nowhere');
    const state = desiredState({ pools: { ...pools, standard: servers }, routes: { acme: 'standard' } });
    expect(await under.apply(state)).toMatchObject({ method: 'reload', result: 'applied' });
    expect(told).toEqual([expect.stringContaining('servers are not as desired')]);
  });

  it('notices that HAProxy has loaded another file than the one that was written', async () => {
    const under = await start();
    const balancer = restarted(under, { configPath: join(under.directory, 'other.cfg'), commandTimeoutMs: 2000 });
    expect(await balancer.apply(after, 'test')).toMatchObject({
      method: 'reload',
      result: 'failed',
      reason: expect.stringContaining('is it started with'),
    });
    expect(await under.routeOf('acme')).toBe('a');
  });

  it('says so when the directory is not there', async () => {
    const under = stack.use(await BalancerUnderTest.prepare({ type: 'haproxy', binary: requireBinary('haproxy') }));
    await rm(under.directory, { recursive: true });
    expect(await under.apply(after)).toMatchObject({ result: 'failed', reason: expect.stringContaining('ENOENT') });
  });
});
