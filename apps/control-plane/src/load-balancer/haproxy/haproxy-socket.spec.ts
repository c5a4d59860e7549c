import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NotRunningError, ReloadFailedError } from '../load-balancer.errors.js';
import type { Fence } from '../files/leader.js';
import { HaproxyMaster } from './haproxy-master.js';
import { HaproxySocket } from './haproxy-socket.js';
import { HaproxyWorker } from './haproxy-worker.js';

const OPEN: Fence = { check: async () => {} };

let directory: string;
let path: string;
let server: Server | undefined;
let asked: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'palisade-socket-'));
  path = join(directory, 'haproxy.sock');
  asked = [];
});
afterEach(async () => {
  if (server !== undefined) {
    await once(server.close(), 'close');
    server = undefined;
  }
  rmSync(directory, { recursive: true });
});

/** Stands in for HAProxy; answers a command with a text, or does something else with the connection. */
async function listen(answer: (command: string, socket: Socket) => string | undefined): Promise<void> {
  server = createServer({ allowHalfOpen: true }, (socket) => {
    let text = '';
    socket.setEncoding('utf8').on('error', () => {});
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.once('end', () => {
      asked.push(text);
      const said = answer(text.trimEnd(), socket);
      if (said !== undefined) {
        socket.end(said);
      }
    });
  }).listen(path);
  await once(server, 'listening');
}

describe(HaproxySocket.name, () => {
  const ask = (command: string, timeoutMs = 5000) => new HaproxySocket(path, timeoutMs).ask(command);

  it('asks one command, and returns the answer without the lines that end it', async () => {
    await listen(() => 'one\ntwo\n\n');
    expect(await ask('show map')).toBe('one\ntwo');
    expect(asked).toEqual(['show map\n']);
  });

  it('puts lines together that come in parts', async () => {
    await listen((_, socket) => {
      socket.write('on');
      setImmediate(() => socket.end('e\ntwo'));
      return undefined;
    });
    expect(await ask('show map')).toBe('one\ntwo');
  });

  it('says so when nobody listens', async () => {
    await expect(ask('show info')).rejects.toThrow(NotRunningError);
  });

  it('does not wait for an answer for ever', async () => {
    await listen((_, socket) => {
      setTimeout(() => socket.destroy(), 1000).unref();
      return undefined;
    });
    await expect(ask('show info', 50)).rejects.toThrow(`${path} did not answer within 50 ms`);
  });

  it('asks nothing that HAProxy would drop for its length', async () => {
    await listen(() => '');
    await expect(ask('x'.repeat(13_000))).rejects.toThrow(RangeError);
    expect(asked).toEqual([]);
  });
});

describe(HaproxyWorker.name, () => {
  const worker = () => new HaproxyWorker(new HaproxySocket(path, 5000));

  it('asks for many commands in lines of 8 kB at most', async () => {
    await listen(() => '\n\n');
    const commands = Array.from(
      { length: 500 },
      (_, index) => `add map /etc/palisade/haproxy.namespaces.map /t-${index}. p/64`,
    );
    expect(await worker().run(commands)).toBe('');
    expect(asked.length).toBeGreaterThan(1);
    expect(Math.max(...asked.map((each) => each.length))).toBeLessThanOrEqual(8193);
    expect(asked.flatMap((each) => each.trimEnd().split(';'))).toEqual(commands);
  });

  it('sends a map in payloads of 8 kB at most, between preparing and committing', async () => {
    await listen((command) => (command.startsWith('prepare') ? 'New version created: 3\n' : '\n'));
    const entries = Array.from({ length: 1000 }, (_, index) => [`/t-${index}.`, 'standard/64'] as const);
    await worker().replaceMap('/m.map', entries);
    expect([asked[0], asked.at(-1)]).toEqual(['prepare map /m.map\n', 'commit map @3 /m.map\n']);
    const payloads = asked.slice(1, -1);
    payloads.forEach((each) => expect(each).toMatch(/^add map @3 \/m\.map <<\n(?:\S+ \S+\n)+\n$/));
    expect(Math.max(...payloads.map((each) => each.length))).toBeLessThan(8300);
    expect(payloads.flatMap((each) => each.trimEnd().split('\n').slice(1))).toEqual(
      entries.map((each) => each.join(' ')),
    );
  });

  it.each(['Unknown map identifier.', ''])('does not go on when preparing is answered with %j', async (answer) => {
    await listen(() => `${answer}\n`);
    await expect(worker().replaceMap('/m.map', [['/a.', 'b/64']])).rejects.toThrow('"prepare map" was answered with');
    expect(asked).toHaveLength(1);
  });

  it('does not commit what was not taken', async () => {
    await listen((command) => (command.startsWith('prepare') ? 'New version created: 3\n' : 'no memory\n'));
    await expect(worker().replaceMap('/m.map', [['/a.', 'b/64']])).rejects.toThrow('no memory');
    expect(asked.some((each) => each.startsWith('commit'))).toBe(false);
  });

  it('knows nothing of a map that is not there', async () => {
    await listen(() => '# id (file) description\n0 (/other.map) pattern loaded curr_ver=0 next_ver=0 entry_cnt=7\n');
    expect(await worker().countMap('/m.map')).toBeUndefined();
    expect(await worker().countMap('/other.map')).toBe(7);
  });
});

describe(HaproxyMaster.name, () => {
  const master = (timeoutMs = 1000) => new HaproxyMaster(new HaproxySocket(path, 5000), timeoutMs);
  const proc = (reloads: number, failed: number, workers: readonly number[], old: readonly number[] = []) =>
    [
      '#<PID>          <type>          <reloads>       <uptime>        <version>',
      `1               master          ${reloads} [failed: ${failed}]   0d00h00m03s     2.6.12`,
      '# workers',
      ...workers.map((pid) => `${pid}              worker          0               0d00h00m02s     2.6.12`),
      '# old workers',
      ...old.map((pid) => `${pid}              worker          1               0d00h00m02s     2.6.12`),
      '# programs\n\n',
    ].join('\n');

  it('tells workers from those that have been replaced', async () => {
    await listen(() => proc(2, 1, [20], [10, 11]));
    expect(await master().processes()).toEqual({ reloads: 2, failedReloads: 1, workers: [20], oldWorkers: [10, 11] });
  });

  it('resolves when there is a new worker', async () => {
    const answers = [proc(0, 0, [10]), '', proc(1, 0, [], [10]), proc(1, 0, [20], [10])];
    await listen(() => answers.shift());
    await master().reload(OPEN);
    expect(asked.map((each) => each.trimEnd())).toEqual(['show proc', 'reload', 'show proc', 'show proc']);
  });

  it('tells what was wrong where HAProxy says it', async () => {
    const answers = [proc(0, 0, [10]), 'Success=0\n--\n[ALERT] unknown keyword\n', proc(1, 1, [10])];
    await listen(() => answers.shift());
    await expect(master().reload(OPEN)).rejects.toThrow(
      'HAProxy could not load the configuration: [ALERT] unknown keyword',
    );
  });

  it('is not misled by a reload that had failed before', async () => {
    const answers = [proc(1, 1, [10]), '', proc(1, 1, [10]), proc(2, 0, [20], [10])];
    await listen(() => answers.shift());
    await expect(master().reload(OPEN)).resolves.toBeUndefined();
  });

  it('gives up on a worker that does not come', async () => {
    await listen((command) => (command === 'reload' ? '' : proc(0, 0, [10])));
    await expect(master(100).reload(OPEN)).rejects.toThrow(ReloadFailedError);
  });

  it('takes an answer that it does not understand for an error', async () => {
    await listen(() => 'Permission denied\n');
    await expect(master().processes()).rejects.toThrow('"show proc" was answered with "Permission denied"');
  });

  it('triggers the reload in another way when it is told to', async () => {
    const answers = [proc(0, 0, [10]), proc(1, 0, [20])];
    await listen(() => answers.shift());
    let triggered = 0;
    await master().reload(OPEN, async () => {
      triggered += 1;
    });
    expect([triggered, asked.map((each) => each.trimEnd())]).toEqual([1, ['show proc', 'show proc']]);
  });
});
