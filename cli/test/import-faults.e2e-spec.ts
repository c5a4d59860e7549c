import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createScratchDatabase } from '../../libs/storage/test/scratch-database.js';
import { ScimProcess } from '../../test/support/scim-process.js';
import { CuttingGateway } from './support/cutting-gateway.js';
import { Palisade, eventsOf, type Ended } from './support/palisade.js';
import { listUsers } from './support/list-users.js';

const USERS = 2000;
const TOKEN = 'static-scim-token-of-the-tests';
const MINUTES_MS = 120_000;

describe('palisade import of 2,000 users into a service on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createScratchDatabase>>;
  let service: ScimProcess;
  let gateway: CuttingGateway;
  let directory: string;
  let prefix: string;
  let round = 0;

  beforeAll(async () => {
    database = await createScratchDatabase();
    directory = await mkdtemp(join(tmpdir(), 'palisade-import-'));
    await start();
  }, MINUTES_MS);

  afterAll(async () => {
    await service.end('SIGTERM');
    await database.drop();
    await rm(directory, { recursive: true });
  }, MINUTES_MS);

  beforeEach(async () => {
    prefix = `r${++round}`;
    gateway = await CuttingGateway.start(service.origin);
  });
  afterEach(() => gateway[Symbol.asyncDispose]());

  async function start(): Promise<void> {
    service = await ScimProcess.spawn({
      SVC_STORE_URL: database.url,
      SVC_DATA_DIR: directory,
      SVC_SCIM_BEARER_TOKEN: TOKEN,
    });
    await service.untilReadiness(200);
  }

  const externalIds = (): string[] => Array.from({ length: USERS }, (_, index) => `${prefix}-${index}`);

  /** A file of users of this test only. */
  async function writeUsers(): Promise<string> {
    const path = join(directory, `${prefix}.ndjson`);
    const lines = externalIds().map((id) => JSON.stringify({ externalId: id, userName: `${id}@example.com` }));
    await writeFile(path, lines.join('\n'));
    return path;
  }

  const begin = (path: string): Palisade =>
    Palisade.start(['import', 'users', path, '--batch-size', '50', '--token', TOKEN], {
      PALISADE_SCIM_URL: gateway.url,
    });

  async function expectAll({ code, out }: Ended): Promise<void> {
    expect(eventsOf(out).at(-1)).toEqual({ event: 'done', dry_run: false, records: USERS, present: USERS, failed: 0 });
    expect(code).toBe(0);
    const stored = await listUsers(service.origin, TOKEN, prefix);
    expect(stored.toSorted()).toEqual(externalIds().toSorted());
  }

  it(
    'creates each once, killed again and again between what the service did and what it knew of it',
    async () => {
      const path = await writeUsers();
      for (const cutAt of [1, 2, 5, 9, 14]) {
        gateway.bulkRequests = 0;
        gateway.cutAt = cutAt;
        const killed = begin(path);
        gateway.onCut = () => void killed.child.kill('SIGKILL');
        expect((await killed.ended()).code).toBeNull();
      }
      gateway.cutAt = Infinity;
      await expectAll(await begin(path).ended());
    },
    MINUTES_MS,
  );

  it(
    'says where it stopped when it is interrupted, and goes on there',
    async () => {
      const path = await writeUsers();
      // It cannot come to the end before it is interrupted.
      gateway.reject = (position) => (position > 16 ? { status: 503, retryAfter: 600 } : undefined);
      const interrupted = begin(path);
      await interrupted.untilEvent(({ event, records }) => event === 'progress' && Number(records) >= 300);
      interrupted.child.kill('SIGINT');
      const { code, out, error } = await interrupted.ended();
      const stopped = eventsOf(out).at(-1);
      expect([code, error, stopped?.event]).toEqual([1, 'interrupted\n', 'stopped']);
      expect(Number(stopped?.['records'])).toBeGreaterThanOrEqual(300);

      gateway.reject = () => undefined;
      const again = await begin(path).ended();
      expect(eventsOf(again.out)[0]).toEqual({ event: 'resumed', records: stopped?.['records'] });
      await expectAll(again);
    },
    MINUTES_MS,
  );

  it(
    'goes on by itself when the service is killed and comes back',
    async () => {
      const running = begin(await writeUsers());
      await running.untilEvent(({ event, records }) => event === 'progress' && Number(records) >= 500);
      // What is under way is cut off; what comes next waits, however long the service takes to start.
      const back = Promise.withResolvers<void>();
      gateway.before = () => back.promise;
      await service.end('SIGKILL');
      await start();
      gateway.target = service.origin;
      back.resolve();
      await expectAll(await running.ended());
    },
    MINUTES_MS,
  );

  it(
    'waits as it is told when the service answers 429 and 503',
    async () => {
      // Fewer than the attempts that one request has.
      const statuses = [429, 503, 503, 429, 429, 503];
      gateway.reject = (position) => {
        const status = statuses[position - 1];
        return status === undefined ? undefined : { status, retryAfter: 0 };
      };
      await expectAll(await begin(await writeUsers()).ended());
    },
    MINUTES_MS,
  );

  it(
    'stops when the service stays unable, and goes on when it is called again',
    async () => {
      const path = await writeUsers();
      gateway.reject = (position) => (position > 10 ? { status: 503, retryAfter: 0 } : undefined);
      const { code, out, error } = await begin(path).ended();
      expect([code, eventsOf(out).at(-1)?.event, error]).toEqual([1, 'stopped', 'HTTP 503: Service Unavailable\n']);
      gateway.reject = () => undefined;
      await expectAll(await begin(path).ended());
    },
    MINUTES_MS,
  );

  it(
    'sends in parts what a gateway finds too large',
    async () => {
      gateway.reject = (_, bytes) => (bytes > 2500 ? { status: 413 } : undefined);
      await expectAll(await begin(await writeUsers()).ended());
    },
    MINUTES_MS,
  );

  it(
    'creates nothing the second time',
    async () => {
      const path = await writeUsers();
      await expectAll(await begin(path).ended());
      await expectAll(await begin(path).ended());
    },
    MINUTES_MS,
  );
});
