import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CuttingGateway } from './support/cutting-gateway.js';
import { Palisade, eventsOf } from './support/palisade.js';
import { Services } from './support/services.js';

const MEBIBYTE = 2 ** 20;

describe('palisade import of what is not as it should be', () => {
  let services: Services;
  let directory: string;
  let token: string;
  let providers = 0;
  beforeAll(async () => {
    services = await Services.start();
  });
  afterAll(() => services[Symbol.asyncDispose]());
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'palisade-import-'));
    token = await addProvider();
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function addProvider(): Promise<string> {
    const provider = `p${++providers}`;
    await services.run('provider', 'create', provider);
    const issued = await services.run('token', 'create', provider, '--json');
    return (JSON.parse(issued.out) as { readonly secret: string }).secret;
  }

  async function fileOf(name: string, content: string | Buffer): Promise<string> {
    const path = join(directory, name);
    await writeFile(path, content);
    return path;
  }

  async function importFile(path: string, ...options: readonly string[]) {
    const ended = await Palisade.start(['import', 'users', path, '--token', token, ...options], services.env).ended();
    const events = eventsOf(ended.out);
    const failures = events
      .filter(({ event }) => event === 'failed')
      .map(({ line, problem }) => [line, String(problem)] as const);
    return { ...ended, events, failures };
  }

  const userNames = async (): Promise<string[]> => {
    const { out } = await Palisade.start(['export', 'users', '--token', token], services.env).ended();
    const lines = out.split('\n').slice(0, -1);
    // Batches are under way at the same time: the order in which they are stored is anybody's.
    return lines.map((line) => (JSON.parse(line) as { readonly userName: string }).userName).sort();
  };

  it('imports the good lines of NDJSON and says what is wrong with each other one', async () => {
    const lines: readonly (string | Buffer)[] = [
      '\ufeff{"externalId":"1","userName":"first"}\r',
      `{"externalId":"2","userName":"${'x'.repeat(10 * MEBIBYTE)}"}`,
      Buffer.from([0x7b, 0xff, 0xfe]),
      '',
      '{"externalId":"5","userName":"nul\\u0000"}',
      '{"externalId":"6","userName":"proto","__proto__":{"active":false}}',
      `{"externalId":"7","userName":"deep","x":${'['.repeat(9000)}${']'.repeat(9000)}}`,
      '{"externalId":"8\\u0000","userName":"eight"}',
      '{"externalId":"9","userName":"FIRST"}',
      '{"externalId":"10","userName":"half \\ud800"}',
      `{"externalId":"11","userName":"large","title":"${'x'.repeat(MEBIBYTE)}"}`,
      '\0',
      '{"externalId":"13","userName":"last"}',
    ];
    const content = Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from('\n')])));
    const { code, failures, events } = await importFile(await fileOf('users.ndjson', content));
    expect(failures.map(([line]) => line)).toEqual([2, 3, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(Object.fromEntries(failures)).toMatchObject({
      2: expect.stringMatching(/^expected at most \d+ bytes, found 10485\d+$/),
      3: 'it is not UTF-8',
      7: 'expected at most 32 levels',
      9: expect.stringContaining('uniqueness'),
      12: 'it is not JSON',
    });
    expect([code, events.at(-1)]).toEqual([1, expect.objectContaining({ event: 'done', present: 2, failed: 10 })]);
    expect(await userNames()).toEqual(['first', 'last']);
  });

  it('imports the good records of CSV and says in which line each other one is', async () => {
    const csv = [
      '\ufeffexternalId,userName,displayName,active',
      '1,ann,"Lee, ""Ann""',
      'of two lines",true',
      '2,ben,5" pipe,true',
      '3,cem,,constructor',
      '4,dan,too,many,fields',
      "5,eve,'=HYPERLINK(),false",
      '6,fay,"never ends,true',
      '7,gus,,true',
    ].join('\r\n');
    const { code, failures } = await importFile(await fileOf('users.csv', csv));
    expect([code, failures]).toEqual([
      1,
      [
        [4, 'its quotes do not follow RFC 4180'],
        [5, 'active: expected true or false, found "constructor"'],
        [6, 'expected 4 fields, found 5'],
        [8, 'its quotes are not closed'],
      ],
    ]);
    expect(await userNames()).toEqual(['ann', 'eve']);
    const { out } = await Palisade.start(['export', 'users', '--token', token], services.env).ended();
    expect(
      out
        .split('\n')
        .slice(0, 2)
        .map((line) => (JSON.parse(line) as { displayName: string }).displayName),
    ).toEqual(['Lee, "Ann"\r\nof two lines', '=HYPERLINK()']);
  });

  it('rejects an unknown column and sends nothing', async () => {
    const path = await fileOf('users.csv', 'externalId,userName,__proto__\n1,ann,x\n');
    const { code, error } = await importFile(path);
    expect([code, error]).toEqual([2, expect.stringContaining('expected column names')]);
    expect(existsSync(`${path}.palisade-state.json`)).toBe(false);
  });

  it('lets the first of two records with a name win, however many requests are under way', async () => {
    const records = Array.from({ length: 20 }, (_, index) =>
      JSON.stringify({ externalId: `${index}`, userName: index % 2 === 0 ? `u${index}` : `U${index - 1}` }),
    );
    const path = await fileOf('users.ndjson', records.join('\n'));
    const { failures } = await importFile(path, '--batch-size', '1', '--concurrency', '8');
    expect(failures.map(([line]) => line)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
  });

  /** An import of three users that stopped after the second. */
  async function interrupt(): Promise<string> {
    await using gateway = await CuttingGateway.start(services.scim.url);
    gateway.reject = (position) => (position > 2 ? { status: 401 } : undefined);
    const users = ['a', 'b', 'c'].map((id) => JSON.stringify({ externalId: id, userName: id }));
    const path = await fileOf('users.ndjson', users.join('\n'));
    const options = ['--batch-size', '1', '--concurrency', '1', '--url', gateway.url, '--state', `${path}.state`];
    expect((await importFile(path, ...options)).code).toBe(1);
    return path;
  }

  it('does not resume at another service', async () => {
    const path = await interrupt();
    const { code, error } = await importFile(path, '--state', `${path}.state`);
    expect([code, error]).toEqual([
      2,
      expect.stringContaining('belongs to another import (the state is for users ndjson http'),
    ]);
  });

  it('does not resume as another provider', async () => {
    await using gateway = await CuttingGateway.start(services.scim.url);
    gateway.reject = (position) => (position > 2 ? { status: 401 } : undefined);
    const users = ['a', 'b', 'c'].map((id) => JSON.stringify({ externalId: id, userName: id }));
    const path = await fileOf('users.ndjson', users.join('\n'));
    const options = ['--batch-size', '1', '--concurrency', '1', '--url', gateway.url];
    await importFile(path, ...options);
    token = await addProvider();
    gateway.reject = () => undefined;
    const rejected = await importFile(path, ...options);
    expect([rejected.code, rejected.error]).toEqual([
      2,
      expect.stringContaining('which has nothing in the service now'),
    ]);
    expect((await importFile(path, ...options, '--restart')).code).toBe(0);
    expect(await userNames()).toEqual(['a', 'b', 'c']);
  });

  it('rejects a state that is cut off', async () => {
    const path = await fileOf('users.ndjson', '{"externalId":"1","userName":"ann"}');
    await fileOf('users.ndjson.palisade-state.json', '{"version":2,"targ');
    const { code, error } = await importFile(path);
    expect([code, error]).toEqual([2, expect.stringContaining('is not the state of an import; start over')]);
    expect((await importFile(path, '--restart')).code).toBe(0);
  });

  it('sends nothing when it could not say how far it has come', async () => {
    const path = await fileOf('users.ndjson', '{"externalId":"1","userName":"ann"}');
    const { code, error } = await importFile(path, '--state', join(directory, 'none', 'state.json'));
    expect([code, error, await userNames()]).toEqual([1, expect.stringContaining('(ENOENT)'), []]);
  });
});
