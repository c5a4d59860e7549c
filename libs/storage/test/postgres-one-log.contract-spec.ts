import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, SealedRecord } from '@palisade/domain';
import { Client } from 'pg';
import { withConnection } from '../src/postgres/connection/connection-pools.js';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { directoryMigration } from '../src/postgres/schema/0001-directory.js';
import { controlPlaneMigration } from '../src/postgres/schema/0002-control-plane.js';
import { oneLogMigration } from '../src/postgres/schema/0004-one-log.js';
import { logSpansMigration } from '../src/postgres/schema/0010-log-spans.js';
import { formerTrailsMigration } from '../src/postgres/schema/0011-former-trails.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { readAll, sealAll, verifyAll } from './support/log-harness.js';

const ZEROS = '0'.repeat(64);

interface FormerAction {
  readonly sequence: number;
  readonly timestamp: string;
  readonly tenant_id?: string;
  readonly namespace?: string;
  readonly user_id: string;
  readonly action: string;
  readonly resource: string;
  readonly result: string;
  readonly rows_accessed?: number;
  readonly pii_accessed?: boolean;
  readonly detail?: JsonObject;
}

/** The hash that the version before gave an action record: over the hash before and RFC 8785's form of the record. */
function formerHash(previousHash: string, record: object): string {
  return createHash('sha256').update(previousHash).update(canonical(record)).digest('hex');
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical((value as JsonObject)[name])}`).join(',')}}`;
}

/** What the version before computed the hash of a record from, read out of the record that it has become. */
function formerAction({ timestamp, detail = {}, ...record }: SealedRecord): JsonObject {
  const former = {
    action: record.action,
    detail: detail['former_detail'] ?? undefined,
    namespace: record.namespace,
    pii_accessed: record.piiAccessed,
    resource: record.resource,
    result: record.result,
    rows_accessed: record.rowsAccessed,
    sequence: detail['former_sequence'],
    session_id: record.sessionId,
    tenant_id: record.tenantId,
    timestamp: timestamp.toISOString(),
    user_id: record.userId,
  };
  return JSON.parse(JSON.stringify(former)) as JsonObject;
}

const ACTIONS: readonly FormerAction[] = [
  { timestamp: '2026-01-01T00:00:01.000Z', action: 'tenant.register', tenant_id: 'acme', namespace: 'acme-orders' },
  // The clock went back.
  { timestamp: '2025-12-31T23:59:59.000Z', action: 'proxy.register', detail: { isDraining: false, requestId: 'r7' } },
  { timestamp: '2026-01-01T00:00:05.123Z', action: 'postgres.query', rows_accessed: 3, pii_accessed: true },
].map((action, index) => ({
  ...action,
  sequence: index + 5,
  user_id: 'ann',
  resource: `resource:${index}`,
  result: 'success',
}));

const EVENTS = [
  { at: '2026-01-01T00:00:00.000Z', action: 'user.create', provider: 'entra', request_id: 'r1', detail: null },
  { at: '2026-01-01T00:00:02.000Z', action: 'authentication', provider: null, request_id: null, detail: { a: [1] } },
  { at: '2026-01-01T00:00:03.000Z', action: 'binding.add', provider: 'okta', namespace: 'orders', detail: { b: 'c' } },
];

describe('a database of the version before with both audit trails', () => {
  let database: ScratchDatabase;
  let store: PostgresStore;
  let client: Client;
  let lastHash = 'b'.repeat(64);

  async function insertAction({ detail, ...action }: FormerAction): Promise<void> {
    const hash = formerHash(lastHash, detail === undefined ? action : { ...action, detail });
    const { sequence, timestamp, tenant_id = null, namespace = null, user_id, resource, result } = action;
    const { rows_accessed = null, pii_accessed = null } = action;
    await client.query(
      `with moved as (update action_chain set sequence = $1, hash = $12 where name = 'head')
      insert into action_records (sequence, at, tenant_id, namespace, user_id, action, resource, result, rows_accessed,
        pii_accessed, previous_hash, hash, detail) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        sequence,
        timestamp,
        tenant_id,
        namespace,
        user_id,
        action.action,
        resource,
        result,
        rows_accessed,
        pii_accessed,
        lastHash,
        hash,
        detail ?? null,
      ],
    );
    lastHash = hash;
  }

  async function insertEvent({
    at,
    action,
    provider,
    namespace,
    request_id,
    detail,
  }: Partial<(typeof EVENTS)[0]> & { namespace?: string }): Promise<void> {
    await client.query(
      `insert into audit_events (at, actor, action, resource, result, provider, namespace, request_id, detail)
        values ($1, 'bob', $2, 'x', 'success', $3, $4, $5, $6)`,
      [at, action, provider, namespace, request_id, detail],
    );
  }

  beforeAll(async () => {
    database = await createScratchDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await withConnection(database.url, {}, async (connection) => {
      await directoryMigration.up(connection);
      await controlPlaneMigration.up(connection);
      // Records 1 to 4 were exported and removed.
      await client.query(`update action_chain set sequence = 4, hash = $1`, [lastHash]);
      for (const action of ACTIONS) {
        await insertAction(action);
      }
      for (const event of EVENTS) {
        await insertEvent(event);
      }
      for (const migration of [oneLogMigration, logSpansMigration, formerTrailsMigration]) {
        await connection.transaction().execute((transaction) => migration.up(transaction));
      }
    });
    store = new PostgresStore(database.url);
    await sealAll(store);
  });

  afterAll(async () => {
    await client.end();
    await store.close();
    await database.drop();
  });

  it('has everything in one log, by time, with each trail in its own order', async () => {
    const records = await readAll(store);

    expect(records.map(({ position, action, scope }) => [position, action, scope])).toEqual([
      [1, 'user.create', 'entra'],
      [2, 'tenant.register', 'control_plane'],
      [3, 'proxy.register', 'control_plane'],
      [4, 'authentication', 'control_plane'],
      [5, 'binding.add', 'okta'],
      [6, 'postgres.query', 'control_plane'],
      [7, 'log.carry_over', 'control_plane'],
    ]);
    expect(await verifyAll(store)).toMatchObject({ isValid: true, records: 7 });
  });

  it('keeps what events said', async () => {
    const [first, , , fourth, fifth] = await readAll(store);

    expect(first).toMatchObject({ userId: 'bob', provider: 'entra', requestId: 'r1', result: 'success' });
    expect(first).not.toHaveProperty('detail');
    expect(fourth).toMatchObject({ detail: { a: [1] } });
    expect(fourth).not.toHaveProperty('provider');
    expect(fifth).toMatchObject({ provider: 'okta', namespace: 'orders', detail: { b: 'c' } });
  });

  it('keeps the former chain verifiable, from the last record that was removed to its head', async () => {
    const records = await readAll(store);
    const former = records.filter(({ detail }) => detail?.['former_detail'] !== undefined);

    expect(former.map(({ detail }) => detail?.['former_sequence'])).toEqual([5, 6, 7]);
    let previousHash: unknown = 'b'.repeat(64);
    for (const record of former) {
      expect(record.detail?.['former_previous_hash']).toBe(previousHash);
      expect(record.detail?.['former_hash']).toBe(formerHash(String(previousHash), formerAction(record)));
      previousHash = record.detail?.['former_hash'];
    }
    expect(former[1]).toMatchObject({ requestId: 'r7' });
  });

  it('says what was carried over, and where the former chain ended', async () => {
    const last = (await readAll(store)).find(({ action }) => action === 'log.carry_over');

    expect(last).toMatchObject({
      userId: 'migration',
      detail: { audit_events: 3, action_records: 3, former_sequence: 7, former_hash: expect.not.stringMatching(ZEROS) },
    });
  });

  it('has the former trails no more', async () => {
    const { rows } = await client.query(
      `select to_regclass('audit_events') as events, to_regclass('action_records') as actions,
        (select count(*)::int from pg_proc where proname like 'forward%') as functions`,
    );

    expect(rows).toEqual([{ events: null, actions: null, functions: 0 }]);
  });
});
