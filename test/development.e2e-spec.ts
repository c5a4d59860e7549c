import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { Isolation, IsolationModule, IsolationPools, type IsolationCaller } from '@palisade/isolation';
import { ScimError } from '@palisade/scim';
import { waitUntil } from '../libs/isolation/test/support/wait-until.js';
import { createDirectory } from './support/examples/extended-directory.js';
import { MemcachedDriver, type ScopedMemcached } from './support/examples/memcached-driver.js';

const BADGE = 'urn:example:params:scim:schemas:badge:2.0:User';
const ACME = { namespace: parseNamespaceId('acme'), clientId: 'test' };
const BOLT = { namespace: parseNamespaceId('bolt'), clientId: 'test' };

describe('docs/development.md', () => {
  it.each(['extended-directory', 'memcached-connection', 'memcached-driver'])('shows %s as it is tested', (name) => {
    const document = readFileSync(join(import.meta.dirname, '../docs/development.md'), 'utf8');
    expect(document).toContain(readFileSync(join(import.meta.dirname, `support/examples/${name}.ts`), 'utf8'));
  });
});

describe(createDirectory.name, () => {
  it('has users with a badge, found by it', async () => {
    const scim = createDirectory();
    const badge = { number: '7', doors: ['laboratory'] };
    await scim.createUser({ externalId: 'ada', userName: 'ada@example.com', [BADGE]: badge });
    await scim.createUser({ externalId: 'bob', userName: 'bob@example.com' });
    const { Resources } = await scim.listUsers({ filter: `${BADGE}:doors eq "laboratory"` });
    expect(Resources).toMatchObject([{ externalId: 'ada', [BADGE]: badge }]);
  });

  it('rejects a badge without its number', async () => {
    const user = { externalId: 'ada', userName: 'ada@example.com', [BADGE]: { doors: ['front'] } };
    await expect(createDirectory().createUser(user)).rejects.toBeInstanceOf(ScimError);
  });
});

/** As much of memcached as the example asks for; while it is silent it reads and does not answer. */
class MemcachedStandIn {
  readonly values = new Map<string, string>();
  readonly sockets = new Set<Socket>();
  isSilent = false;
  private readonly server: Server = createServer((socket) => this.serve(socket));

  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      const answer = this.isSilent ? undefined : this.answer(text);
      if (answer !== undefined) {
        text = '';
        socket.write(answer);
      }
    });
  }

  private answer(text: string): string | undefined {
    const [, setKey = '', value = ''] = /^set (\S+) 0 0 \d+\r\n(.*)\r\n$/.exec(text) ?? [];
    if (setKey !== '') {
      this.values.set(setKey, value);
      return 'STORED\r\n';
    }
    const [, key = ''] = /^get (\S+)\r\n$/.exec(text) ?? [];
    const found = this.values.get(key);
    if (key === '') {
      return undefined;
    }
    return found === undefined ? 'END\r\n' : `VALUE ${key} 0 ${found.length}\r\n${found}\r\nEND\r\n`;
  }
}

describe(MemcachedDriver.name, () => {
  let server: MemcachedStandIn;
  let module: TestingModule;
  let isolation: Isolation;

  beforeEach(async () => {
    server = new MemcachedStandIn();
    const options = {
      settings: {
        isolation_level: 'namespace',
        connection_pools: { memcached: { connections_per_namespace: 1, max_total_connections: 2 } },
      },
      backends: { memcached: new MemcachedDriver(await server.listen()) },
    };
    module = await Test.createTestingModule({ imports: [IsolationModule.forRoot(options)] }).compile();
    await module.init();
    isolation = module.get(Isolation);
  });

  afterEach(async () => {
    await module.close();
    await server.close();
  });

  function use<T>(caller: IsolationCaller, work: (client: ScopedMemcached) => Promise<T>, signal?: AbortSignal) {
    return isolation.run(caller, 'memcached', MemcachedDriver, work, { signal });
  }

  it.each(['greeting', 'a b', 'x\r\nget tenant:bolt:Zw\r\n', '*', ':', 'NUL\0', 'ü', '\u{1F511}'])(
    'keeps the key %j of one namespace from another',
    async (key) => {
      await use(ACME, (client) => client.set(key, 'of acme\r\nEND\r\n'));
      await use(BOLT, (client) => client.set(key, 'of bolt'));
      expect(await use(ACME, (client) => client.get(key))).toBe('of acme\r\nEND\r\n');
      expect([...server.values.keys()]).toEqual([
        expect.stringMatching(/^tenant:acme:[\w-]+$/),
        expect.stringMatching(/^tenant:bolt:[\w-]+$/),
      ]);
    },
  );

  it.each(['', 'k'.repeat(1000), 'half \uD800'])('rejects %j as a key', async (key) => {
    await expect(use(ACME, (client) => client.get(key))).rejects.toBeInstanceOf(RangeError);
  });

  it('does not let work use the connection when it is over', async () => {
    const client = await use(ACME, async (given) => given);
    await expect(async () => client.get('greeting')).rejects.toThrow('the work is over');
  });

  it('does not lend a connection again on which an answer is outstanding', async () => {
    server.isSilent = true;
    const failure = await use(ACME, async (client) => ({
      isTold: expect(client.get('greeting')).rejects.toThrow('the connection to memcached ended'),
    }));
    await failure.isTold;
    server.isSilent = false;
    expect(await use(ACME, (client) => client.get('greeting'))).toBeUndefined();
  });

  it('takes a connection that the server has ended out of the pool, and makes another', async () => {
    await use(ACME, (client) => client.set('greeting', 'hello'));
    const idle = () => module.get(IsolationPools).snapshots()[0]?.idle;
    expect(idle()).toBe(1);
    server.sockets.forEach((socket) => socket.destroy());
    await waitUntil(() => idle() === 0, 'the connection leaves the pool');
    expect(await use(ACME, (client) => client.get('greeting'))).toBe('hello');
  });
});
