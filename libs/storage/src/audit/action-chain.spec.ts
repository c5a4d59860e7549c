import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ActionRecord, ChainedActionRecord } from '@palisade/domain';
import * as fc from 'fast-check';
import { GENESIS, chainRecord, chainRecords, verifyChain } from './action-chain.js';

const ZEROS = '0'.repeat(64);
const START = { sequence: 1, previousHash: ZEROS };

function recordOf(overrides: Partial<ActionRecord> = {}): ActionRecord {
  return {
    timestamp: new Date('2026-11-20T08:30:00Z'),
    userId: 'ann',
    action: 'tenant.register',
    resource: 'tenant:acme',
    result: 'success',
    ...overrides,
  };
}

function chainOf(count: number): ChainedActionRecord[] {
  return chainRecords(
    GENESIS,
    Array.from({ length: count }, (_, index) => recordOf({ detail: { index } })),
  );
}

describe(chainRecord.name, () => {
  it('begins at sequence 1 after 64 zeros', () => {
    expect(chainRecord(GENESIS, recordOf())).toMatchObject({ sequence: 1, previousHash: ZEROS });
  });

  it('hashes the hash before and the canonical record', () => {
    const canonical =
      '{"action":"tenant.register","resource":"tenant:acme","result":"success","sequence":1,' +
      '"timestamp":"2026-11-20T08:30:00.000Z","user_id":"ann"}';

    expect(chainRecord(GENESIS, recordOf()).hash).toBe(
      createHash('sha256')
        .update(ZEROS + canonical)
        .digest('hex'),
    );
  });
});

describe(verifyChain.name, () => {
  it('accepts a whole chain and tells its head', async () => {
    const chain = chainOf(3);
    const { sequence, hash } = chain[2] as ChainedActionRecord;

    expect(await verifyChain(chain, START)).toEqual({ isValid: true, records: 3, head: { sequence, hash } });
  });

  it('accepts no records at all', async () => {
    expect(await verifyChain([], START)).toEqual({ isValid: true, records: 0, head: GENESIS });
  });

  it('accepts what is left after the oldest were removed, from its own start only', async () => {
    const [, , third, fourth] = chainOf(4) as [unknown, unknown, ChainedActionRecord, ChainedActionRecord];
    const start = { sequence: 3, previousHash: third.previousHash };

    expect(await verifyChain([third, fourth], start)).toMatchObject({ isValid: true, records: 2 });
    expect(await verifyChain([third, fourth], START)).toMatchObject({
      isValid: false,
      brokenAt: 1,
      reason: 'sequence',
    });
    expect(await verifyChain([fourth], start)).toMatchObject({ isValid: false, brokenAt: 3, reason: 'sequence' });
  });

  it('reads no further than to the first break', async () => {
    let read = 0;
    function* endless(): Generator<ChainedActionRecord> {
      for (const record of chainOf(10)) {
        read += 1;
        yield read === 3 ? { ...record, userId: 'eve' } : record;
      }
    }

    expect(await verifyChain(endless(), START)).toEqual({ isValid: false, records: 2, brokenAt: 3, reason: 'hash' });
    expect(read).toBe(3);
  });

  it('notices any record that is changed, left out, moved or put in', async () => {
    const chain = chainOf(6);
    const change = fc.record({
      at: fc.nat(4),
      field: fc.constantFrom('userId', 'action', 'resource'),
      text: fc.string(),
    });
    await fc.assert(
      fc.asyncProperty(
        change,
        fc.constantFrom('change', 'leave out', 'swap', 'repeat'),
        async ({ at, field, text }, how) => {
          const forged = forge(chain, at, { [field]: `${text}!` }, how);

          const verdict = await verifyChain(forged, START);

          expect(verdict).toMatchObject({ isValid: false, brokenAt: how === 'repeat' ? at + 2 : at + 1 });
        },
      ),
    );
  });

  it('does not notice a forger who writes everything anew, except by the head', async () => {
    const forged = chainRecords(GENESIS, [recordOf({ userId: 'eve' }), recordOf()]);

    const verdict = await verifyChain(forged, START);

    expect(verdict.isValid).toBe(true);
    expect(verdict).not.toMatchObject({ head: { hash: chainOf(2)[1]?.hash } });
  });
});

function forge(
  chain: readonly ChainedActionRecord[],
  at: number,
  change: Partial<ChainedActionRecord>,
  how: string,
): ChainedActionRecord[] {
  const [record, next] = chain.slice(at) as [ChainedActionRecord, ChainedActionRecord];
  const replacements: Readonly<Record<string, readonly ChainedActionRecord[]>> = {
    change: [{ ...record, ...change }, next],
    'leave out': [next],
    swap: [next, record],
    repeat: [record, record, next],
  };
  return chain.toSpliced(at, 2, ...(replacements[how] ?? []));
}
