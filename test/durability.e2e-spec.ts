import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseProviderId } from '@palisade/domain';
import { ScimClient } from './support/scim-client.js';
import { user } from './support/scim-bodies.js';
import { ScimProcess } from './support/scim-process.js';

const TOKEN = 'a-token-for-the-durability-test';
const MINUTE_MS = 60_000;

/** Creates users one after the other on four connections until told to stop; remembers which were acknowledged. */
class Writer {
  readonly acknowledged = new Set<string>();
  readonly rejected: { status: number; retryAfter: string | undefined }[] = [];
  private isStopped = false;
  private readonly loops: Promise<void>[];

  constructor(client: ScimClient, prefix: string) {
    this.loops = [0, 1, 2, 3].map((lane) => this.write(client, `${prefix}-${lane}`));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.loops);
  }

  private async write(client: ScimClient, prefix: string): Promise<void> {
    for (let n = 0; !this.isStopped; n += 1) {
      const externalId = `${prefix}-${n}`;
      try {
        const { status, headers } = await client.post('/Users', user({ userName: externalId, externalId }));
        if (status === 201) {
          this.acknowledged.add(externalId);
        } else {
          this.rejected.push({ status, retryAfter: headers['retry-after'] });
        }
      } catch {
        // The connection broke: the write was not acknowledged, nothing is known of it.
      }
    }
  }
}

async function untilAcknowledged(writer: Writer, count: number): Promise<void> {
  const deadline = Date.now() + MINUTE_MS / 2;
  while (writer.acknowledged.size < count) {
    if (Date.now() > deadline) {
      throw new Error(`${writer.acknowledged.size} of ${count} writes were acknowledged in time`);
    }
    // The writer has no event to wait on.
    await sleep(10);
  }
}

async function storedExternalIds(client: ScimClient): Promise<Set<string>> {
  const stored = new Set<string>();
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const { status, body } = await client.query('/Users', { attributes: 'externalId', count: 1000, cursor });
    expect(status).toBe(200);
    for (const { externalId } of body.Resources) {
      stored.add(externalId);
    }
    cursor = body.nextCursor;
  }
  return stored;
}

describe('an acknowledged write on the embedded PostgreSQL', () => {
  let directory: string;
  let service: ScimProcess;
  let client: ScimClient;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'palisade-durability-'));
    // As root, the database below runs under another account.
    chmodSync(directory, 0o711);
    await start();
  }, MINUTE_MS);

  afterEach(async () => {
    await service.end('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  }, MINUTE_MS);

  async function start(): Promise<void> {
    service = await ScimProcess.spawn({
      SVC_STORE_URL: `embedded:${join(directory, 'postgres')}`,
      SVC_DATA_DIR: directory,
      SVC_SCIM_BEARER_TOKEN: TOKEN,
    });
    await service.untilReadiness(200);
    client = new ScimClient(service.origin, parseProviderId('default'), TOKEN);
  }

  function killPostgres(): void {
    const [pid] = readFileSync(join(directory, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
  }

  it(
    'survives kill -9 of the service',
    async () => {
      const writer = new Writer(client, 'service');
      await untilAcknowledged(writer, 200);
      await service.end('SIGKILL');
      await writer.stop();
      await start();
      const stored = await storedExternalIds(client);
      expect([...writer.acknowledged].filter((externalId) => !stored.has(externalId))).toEqual([]);
    },
    2 * MINUTE_MS,
  );

  it(
    'survives kill -9 of PostgreSQL, during which the service is not ready and answers 503, and recovers by itself',
    async () => {
      const writer = new Writer(client, 'database');
      await untilAcknowledged(writer, 200);
      killPostgres();
      await service.untilReadiness(503);
      await service.untilReadiness(200);
      const before = writer.acknowledged.size;
      await untilAcknowledged(writer, before + 50);
      await writer.stop();
      expect(writer.rejected.length).toBeGreaterThan(0);
      for (const { status, retryAfter } of writer.rejected) {
        expect([status, retryAfter]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      }
      const stored = await storedExternalIds(client);
      expect([...writer.acknowledged].filter((externalId) => !stored.has(externalId))).toEqual([]);
    },
    2 * MINUTE_MS,
  );

  it(
    'rejects a second process on the same directory',
    async () => {
      const second = await ScimProcess.spawn({
        SVC_STORE_URL: `embedded:${join(directory, 'postgres')}`,
        SVC_SCIM_BEARER_TOKEN: TOKEN,
      });
      await expect(second.untilReadiness(200)).rejects.toThrow(/uses the embedded database in/);
    },
    MINUTE_MS,
  );
});
