import { describe, expect, it } from '@jest/globals';
import { parsePoolName, parseProxyId } from '@palisade/domain';
import type { DesiredState } from '../routing/table/desired-state.js';
import { HostAddresses } from './host-addresses.js';

function stateOf(...hosts: string[]): DesiredState {
  const servers = hosts.map((host, index) => ({
    id: parseProxyId(`p${index}`),
    host,
    port: 80,
    weight: 1,
    state: 'up' as const,
  }));
  const pools = [{ name: parsePoolName('standard'), servers }];
  return { revision: 1, pools, exact: new Map(), prefixes: new Map(), wildcards: new Map() };
}

function create() {
  const clock = { ms: 0 };
  const answers: Record<string, readonly string[] | Error> = {};
  const asked: string[] = [];
  let underWay = 0;
  const load = { most: 0 };
  const addresses = new HostAddresses(
    async (host) => {
      asked.push(host);
      load.most = Math.max(load.most, (underWay += 1));
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      const answer = answers[host] ?? new Error('ENOTFOUND');
      if (answer instanceof Error) {
        throw answer;
      }
      return answer;
    },
    () => clock.ms,
  );
  const resolve = async (...hosts: string[]) => {
    const { pools, unresolved } = await addresses.resolve(stateOf(...hosts));
    return { hosts: pools.flatMap(({ servers }) => servers.map(({ host }) => host)), unresolved };
  };
  return { resolve, answers, asked, clock, load };
}

describe(HostAddresses.name, () => {
  it('asks nobody about addresses, and writes them as load balancers do', async () => {
    const { resolve, asked } = create();
    expect((await resolve('10.0.0.7', '2001:DB8:0:0::1')).hosts).toEqual(['10.0.0.7', '2001:db8::1']);
    expect(asked).toEqual([]);
  });

  it('prefers IPv4, and takes the same one always', async () => {
    const { resolve, answers } = create();
    answers['a.internal'] = ['::1', '10.0.0.9', '10.0.0.7'];
    expect((await resolve('a.internal')).hosts).toEqual(['10.0.0.7']);
  });

  it('keeps an address as long as it is among the answers', async () => {
    const { resolve, answers, clock } = create();
    answers['a.internal'] = ['10.0.0.7'];
    await resolve('a.internal');
    answers['a.internal'] = ['10.0.0.1', '10.0.0.7'];
    clock.ms = 31_000;
    expect((await resolve('a.internal')).hosts).toEqual(['10.0.0.7']);
    answers['a.internal'] = ['10.0.0.1'];
    clock.ms = 62_000;
    expect((await resolve('a.internal')).hosts).toEqual(['10.0.0.1']);
  });

  it.each(['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254'])(
    'gives load balancers no link-local or metadata address, also when a name gets it later: %s',
    async (address) => {
      const { resolve, answers, clock } = create();
      answers['a.internal'] = ['10.0.0.7'];
      answers['b.internal'] = [address];
      expect((await resolve('a.internal', 'b.internal')).hosts).toEqual(['10.0.0.7']);
      answers['a.internal'] = [address, '10.0.0.1'];
      clock.ms = 31_000;
      expect((await resolve('a.internal')).hosts).toEqual(['10.0.0.7']);
    },
  );

  it('keeps an address while there is no answer', async () => {
    const { resolve, answers, clock } = create();
    answers['a.internal'] = ['10.0.0.7'];
    await resolve('a.internal');
    answers['a.internal'] = new Error('SERVFAIL');
    clock.ms = 31_000;
    expect((await resolve('a.internal')).hosts).toEqual(['10.0.0.7']);
  });

  it('leaves out servers without an address, and says which', async () => {
    const { resolve, answers } = create();
    answers['b.internal'] = ['10.0.0.7'];
    expect(await resolve('a.internal', 'b.internal', 'fe80::1%eth0')).toEqual({
      hosts: ['10.0.0.7'],
      unresolved: [
        { id: 'p0', host: 'a.internal' },
        { id: 'p2', host: 'fe80::1%eth0' },
      ],
    });
  });

  it('asks again only after a while', async () => {
    const { resolve, asked, clock } = create();
    await resolve('a.internal');
    clock.ms = 29_000;
    await resolve('a.internal');
    clock.ms = 31_000;
    await resolve('a.internal');
    expect(asked).toEqual(['a.internal', 'a.internal']);
  });

  it('asks about two names at a time', async () => {
    const { resolve, load } = create();
    await resolve('a.internal', 'b.internal', 'c.internal', 'd.internal');
    expect(load.most).toBe(2);
  });

  it('forgets names that nobody uses', async () => {
    const { resolve, asked } = create();
    await resolve('a.internal');
    await resolve('10.0.0.7');
    await resolve('a.internal');
    expect(asked).toEqual(['a.internal', 'a.internal']);
  });
});
