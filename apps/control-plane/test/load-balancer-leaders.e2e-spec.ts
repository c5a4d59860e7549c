import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireBinary } from '../../../test/support/test-services.js';
import { createLoadBalancer } from '../src/load-balancer/create-load-balancer.js';
import type { Leader } from '../src/load-balancer/files/leader.js';
import type { LoadBalancer } from '../src/load-balancer/load-balancer.js';
import { BalancerUnderTest } from './support/load-balancer/balancer-under-test.js';
import { desiredServer, desiredState, type StateText } from './support/load-balancer/desired-states.js';
import { EchoProxy } from './support/load-balancer/proxies.js';
import { until } from './support/load-balancer/server-program.js';

const leaderOf = (epoch: number): Leader => ({ epoch, isInTerm: () => true, isConfirmed: async () => false });

describe('two leaders that share a HAProxy and its files', () => {
  let stack: AsyncDisposableStack;
  let pools: NonNullable<StateText['pools']>;
  let under: BalancerUnderTest;
  let first: LoadBalancer;
  let second: LoadBalancer;
  /** As long as it is not there, reload commands of the first leader wait. */
  let permission: string;

  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    const [a, b] = [stack.use(await EchoProxy.start('a')), stack.use(await EchoProxy.start('b'))];
    pools = { standard: [desiredServer('a', a.port)], premium: [desiredServer('b', b.port)] };
    const options = { type: 'haproxy' as const, binary: requireBinary('haproxy') };
    under = stack.use(await BalancerUnderTest.start(desiredState({ pools, routes: { acme: 'standard' } }), options));
    permission = join(under.directory, 'permission');
    first = createLoadBalancer({ ...under.settings, reloadCommand: [waitingCommand()] });
    second = createLoadBalancer(under.settings);
    first.lead(leaderOf(1));
    second.lead(leaderOf(2));
  });
  afterEach(() => stack.disposeAsync());

  function waitingCommand(): string {
    const path = join(under.directory, 'reload');
    writeFileSync(
      path,
      `#!/bin/sh
touch ${permission}.wanted
while [ ! -e ${permission} ]; do sleep 0.05; done
kill -USR2 "$(cat ${under.directory}/pid)"
`,
    );
    chmodSync(path, 0o755);
    return path;
  }
  const before = (revision: number) =>
    desiredState({ revision, pools, routes: { acme: 'standard', early: 'standard' } });
  /** Needs a reload, for its pool. */
  const withGold = (revision: number) =>
    desiredState({ revision, pools: { ...pools, gold: pools['premium'] ?? [] }, routes: { acme: 'gold' } });

  it('serve what the later one wants, when the earlier one has hung in its reload command', async () => {
    const late = first.apply(withGold(2), 'first');
    await until(async () => existsSync(`${permission}.wanted`), 'the reload command to begin');
    expect(await second.apply(before(3), 'second')).toMatchObject({ result: 'applied', epoch: 2 });
    writeFileSync(permission, '');
    // It reloads what the later one has put in place, and does not find its own.
    expect(await late).toMatchObject({ result: 'failed', epoch: 1 });
    expect(await second.apply(before(3), 'second')).toMatchObject({ result: 'unchanged' });
    expect(await second.detectDrift(before(3))).toEqual([]);
    expect([await under.routeOf('acme'), await under.routeOf('early')]).toEqual(['a', 'a']);
  });

  it('serve what the later one wants, when the earlier one has not heard that it was superseded', async () => {
    await second.apply(withGold(3), 'second');
    expect(await first.apply(before(2), 'first')).toMatchObject({ result: 'failed', method: 'none', epoch: 1 });
    expect(await second.detectDrift(withGold(3))).toEqual([]);
    expect(await under.routeOf('acme')).toBe('b');
  });
});
