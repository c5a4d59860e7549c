import { SpanStatusCode, context, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseProviderId, type ProviderId } from '@palisade/domain';
import { RecordedSpans } from '../../../test/support/tracing/recorded-spans.js';
import { Database } from '../src/postgres/connection/database.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const P1: ProviderId = parseProviderId('p1');
const SECRET = 'planted.person@example.com';

describe('the spans of the store', () => {
  let scratch: ScratchDatabase;
  let database: Database;
  let spans: RecordedSpans;

  beforeEach(async () => {
    scratch = await createScratchDatabase();
    database = new Database(scratch.url, { maxConnections: 3, connectionsPerProvider: 1 });
    spans = new RecordedSpans();
  });

  afterEach(async () => {
    spans[Symbol.dispose]();
    await database.close();
    await scratch.drop();
  });

  /** Does the work within a span. */
  async function asked<T>(work: () => Promise<T>): Promise<T> {
    return trace.getTracer('test').startActiveSpan('request', async (span) => {
      try {
        return await work();
      } finally {
        span.end();
      }
    });
  }

  const select = (): Promise<unknown> =>
    database.of(P1).run((connection) => connection.selectNoFrom((eb) => eb.val(SECRET).as('person')).execute());

  it('are none for what nobody has asked for', async () => {
    await select();
    expect(spans.names).toEqual([]);
  });

  it('are one for each statement of a transaction, parts of the span that asked for it', async () => {
    const fails = (): Promise<unknown> =>
      database.of(P1).transaction((connection) => connection.deleteFrom('tenants').execute());
    await expect(asked(fails)).rejects.toThrow('does not exist');
    const parent = spans.get('request').spanContext().spanId;
    expect(spans.names).toEqual(['wait for connection', 'BEGIN', 'DELETE tenants', 'ROLLBACK', 'request']);
    expect(spans.all.slice(0, -1).map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
      Array.from({ length: 4 }, () => parent),
    );
  });

  it('have the text of a statement with its parameters left out', async () => {
    await asked(select);
    expect(spans.get('SELECT').attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.namespace': new URL(scratch.url).pathname.slice(1),
      'db.operation.name': 'SELECT',
      'db.query.text': 'select $1 as "person"',
    });
    expect(spans.text).not.toContain(SECRET);
  });

  it('say why a statement failed by its SQLSTATE, and do not quote what it was about', async () => {
    const cast = (): Promise<unknown> =>
      database.run((connection) =>
        connection
          .selectNoFrom((eb) => eb.cast<number>(eb.cast<string>(eb.val(SECRET), 'text'), 'integer').as('n'))
          .execute(),
      );
    await expect(asked(cast)).rejects.toThrow(SECRET);
    const failed = spans.all.find(({ status }) => status.code === SpanStatusCode.ERROR);
    expect(failed?.attributes).toMatchObject({ 'error.type': '22P02', 'db.response.status_code': '22P02' });
    expect(spans.text).not.toContain(SECRET);
  });

  it('show the wait for a connection that others have, and none where one is idle', async () => {
    await select();
    await asked(select);
    expect(spans.names).toEqual(['SELECT', 'request']);
    const mayEnd = Promise.withResolvers<void>();
    const holds = Promise.withResolvers<void>();
    const holder = database.of(P1).run(async () => {
      holds.resolve();
      await mayEnd.promise;
    });
    await holds.promise;
    const waiting = asked(select);
    mayEnd.resolve();
    await Promise.all([holder, waiting]);
    expect(spans.names.slice(2)).toEqual(['wait for connection', 'SELECT', 'request']);
    expect(spans.get('wait for connection').attributes).toMatchObject({
      'db.client.connection.pool.name': 'postgres',
    });
  });

  it('are none in a trace that is not recorded', async () => {
    const unrecorded = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 0 });
    await context.with(trace.setSpan(context.active(), unrecorded), select);
    expect(spans.names).toEqual([]);
  });
});
