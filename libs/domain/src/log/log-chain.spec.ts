import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { LOG_START, canonicalRecord, sealRecords, verifyLog } from './log-chain.js';
import type { LogRecord, SealedRecord } from './log-record.js';

const ZEROS = '0'.repeat(64);

const MINIMAL: LogRecord = {
  timestamp: new Date('2026-11-20T08:30:00.005Z'),
  userId: 'ann@example.com',
  action: 'tenant.register',
  resource: 'tenant:acme',
  result: 'success',
};

/** Every third record belongs to no provider, the others to one of two. */
function logOf(count: number): [SealedRecord, ...SealedRecord[]] {
  const records = Array.from({ length: count }, (_, index): LogRecord => ({
    ...MINIMAL,
    ...(index % 3 > 0 && { provider: `p${index % 3}` }),
    detail: { index },
  }));
  return sealRecords(records, LOG_START, new Map()) as [SealedRecord, ...SealedRecord[]];
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe(sealRecords.name, () => {
  it('gives positions from 1 on, and a hash over the one before in the scope and the canonical record', () => {
    const [first] = logOf(1);

    expect(first).toMatchObject({ position: 1, scope: 'control_plane', previousHash: ZEROS });
    expect(first.hash).toBe(sha256(ZEROS + canonicalRecord(first)));
    expect(first.seal).toBe(sha256(ZEROS + first.hash));
  });

  it('keeps a chain for each scope, and one seal over all of them', () => {
    const [first, second, third, fourth] = logOf(4);

    expect([second?.previousHash, third?.previousHash, fourth?.previousHash]).toEqual([ZEROS, ZEROS, first.hash]);
    expect(fourth?.seal).toBe(sha256(`${third?.seal}${fourth?.hash}`));
  });

  it('goes on behind a head and the last hashes of the scopes', () => {
    const head = { position: 7, seal: 'f'.repeat(64) };
    const [record] = sealRecords([{ ...MINIMAL, provider: 'p1' }], head, new Map([['p1', 'a'.repeat(64)]]));

    expect(record).toMatchObject({ position: 8, previousHash: 'a'.repeat(64) });
    expect(record?.seal).toBe(sha256(head.seal + record?.hash));
  });
});

describe(canonicalRecord.name, () => {
  it('leaves out what is absent and orders the names', () => {
    expect(canonicalRecord({ ...MINIMAL, position: 7, scope: 'control_plane' })).toBe(
      '{"action":"tenant.register","position":7,"resource":"tenant:acme","result":"success","scope":"control_plane",' +
        '"timestamp":"2026-11-20T08:30:00.005Z","user_id":"ann@example.com"}',
    );
  });

  it('writes every field of the record', () => {
    const record: LogRecord = {
      ...MINIMAL,
      provider: 'entra',
      tenantId: 'acme',
      namespace: 'orders',
      sessionId: 's1',
      requestId: 'r1',
      rowsAccessed: 0,
      piiAccessed: false,
      detail: {},
    };

    expect(canonicalRecord({ ...record, position: 1, scope: 'entra' })).toBe(
      '{"action":"tenant.register","detail":{},"namespace":"orders","pii_accessed":false,"position":1,"provider":"entra",' +
        '"request_id":"r1","resource":"tenant:acme","result":"success","rows_accessed":0,"scope":"entra",' +
        '"session_id":"s1","tenant_id":"acme",' +
        '"timestamp":"2026-11-20T08:30:00.005Z","user_id":"ann@example.com"}',
    );
  });

  // RFC 8785 §3.2.2 and §3.2.3: its own examples.
  it('writes numbers, texts and the order of names as RFC 8785 does', () => {
    const detail = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 333_333_333.333_333_3,
      '\u{1f600}': 1e30,
      '\u0080': 4.5,
      ö: 2e-3,
      z: 0.000_000_000_000_000_000_000_000_001,
      list: [{ b: 1, a: [] }, null],
      text: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    };

    expect(canonicalRecord({ ...MINIMAL, detail, position: 1, scope: 'control_plane' })).toContain(
      '"detail":{"\\r":"Carriage Return","1":333333333.3333333,"list":[{"a":[],"b":1},null],"text":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/","z":1e-27,' +
        '"\u0080":4.5,"ö":0.002,"\u20ac":"Euro Sign","\u{1f600}":1e+30,"\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });
});

describe(verifyLog.name, () => {
  it('accepts a whole log and tells its head', async () => {
    const log = logOf(5);
    const { position, seal } = log[4] as SealedRecord;

    expect(await verifyLog(log, LOG_START)).toEqual({ isValid: true, records: 5, head: { position, seal } });
  });

  it('accepts no records at all', async () => {
    expect(await verifyLog([], LOG_START)).toEqual({ isValid: true, records: 0, head: LOG_START });
  });

  it('accepts what is left after the oldest were removed, from its own start only', async () => {
    const [, second, third, fourth] = logOf(4) as [SealedRecord, SealedRecord, SealedRecord, SealedRecord];
    const start = { position: 2, seal: second.seal };

    expect(await verifyLog([third, fourth], start)).toMatchObject({ isValid: true, records: 2 });
    expect(await verifyLog([third, fourth], LOG_START)).toMatchObject({ brokenAt: 1, reason: 'position' });
    expect(await verifyLog([fourth], start)).toMatchObject({ isValid: false, brokenAt: 3, reason: 'position' });
    const other = { position: 2, seal: ZEROS };
    expect(await verifyLog([third, fourth], other)).toMatchObject({ isValid: false, brokenAt: 3, reason: 'seal' });
  });

  it('reads no further than to the first break', async () => {
    let read = 0;
    function* changed(): Generator<SealedRecord> {
      for (const record of logOf(10)) {
        read += 1;
        yield read === 3 ? { ...record, userId: 'eve' } : record;
      }
    }

    expect(await verifyLog(changed(), LOG_START)).toEqual({ isValid: false, records: 2, brokenAt: 3, reason: 'hash' });
    expect(read).toBe(3);
  });

  it('notices any record that is changed, left out, moved or inserted', async () => {
    const log = logOf(9);
    const change = fc.record({
      at: fc.nat(7),
      field: fc.constantFrom('userId', 'action', 'resource', 'previousHash', 'hash', 'seal'),
      text: fc.string(),
    });
    await fc.assert(
      fc.asyncProperty(
        change,
        fc.constantFrom('change', 'leave out', 'swap', 'repeat'),
        async ({ at, field, text }, how) => {
          const verdict = await verifyLog(forge(log, at, { [field]: `${text}!` }, how), LOG_START);

          expect(verdict).toMatchObject({ isValid: false, brokenAt: how === 'repeat' ? at + 2 : at + 1 });
        },
      ),
    );
  });

  it('does not notice a forger who writes everything again, except by a seal that was kept', async () => {
    const forged = sealRecords([{ ...MINIMAL, userId: 'eve' }, MINIMAL], LOG_START, new Map());

    const verdict = await verifyLog(forged, LOG_START);

    expect(verdict.isValid).toBe(true);
    expect(verdict).not.toMatchObject({ head: { seal: logOf(2)[1]?.seal } });
  });
});

function forge(log: readonly SealedRecord[], at: number, change: Partial<SealedRecord>, how: string): SealedRecord[] {
  const [record, next] = log.slice(at) as [SealedRecord, SealedRecord];
  const replacements: Readonly<Record<string, readonly SealedRecord[]>> = {
    change: [{ ...record, ...change }, next],
    'leave out': [next],
    swap: [next, record],
    repeat: [record, record, next],
  };
  return log.toSpliced(at, 2, ...(replacements[how] ?? []));
}
