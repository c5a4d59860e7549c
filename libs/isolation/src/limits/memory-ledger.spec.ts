import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { liveLimits } from '../../test/support/live-limits.js';
import { MemoryLedger } from './memory-ledger.js';

const ACME = parseNamespaceId('acme');
const BOLT = parseNamespaceId('bolt');

function createLedger(bytes: number | undefined = 100, own: number | undefined = undefined) {
  const namespaces = own === undefined ? new Map() : new Map([[BOLT, { bytes: own }]]);
  return new MemoryLedger(liveLimits({ perNamespace: { bytes }, namespaces, cpuWindowMs: 10_000 }));
}

describe(MemoryLedger.name, () => {
  it('gives memory up to the limit, and not a byte more', () => {
    const ledger = createLedger();
    ledger.hold(ACME, 60);
    ledger.hold(ACME, 40);
    expect(() => ledger.hold(ACME, 1)).toThrow(
      expect.objectContaining({
        code: 'MEMORY_LIMIT',
        retryAfterSeconds: 1,
        heldBytes: 100,
        wantedBytes: 1,
        maxBytes: 100,
      }),
    );
    expect(ledger.heldBy(ACME)).toBe(100);
  });

  it('counts nothing of what it rejects', () => {
    const ledger = createLedger();
    expect(() => ledger.hold(ACME, 101)).toThrow('wants 101 more');
    expect([ledger.heldBy(ACME), ledger.namespaces]).toEqual([0, 0]);
  });

  it('takes memory back once, however often it is given back', () => {
    const ledger = createLedger();
    const first = ledger.hold(ACME, 60);
    ledger.hold(ACME, 40);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    expect(ledger.heldBy(ACME)).toBe(40);
  });

  it('counts each namespace on its own, and by a limit of its own', () => {
    const ledger = createLedger(100, 200);
    ledger.hold(ACME, 100);
    ledger.hold(BOLT, 200);
    expect(() => ledger.hold(BOLT, 1)).toThrow('holds 200 bytes of 200');
  });

  it('admits a namespace only while it may hold anything', () => {
    const ledger = createLedger();
    const hold = ledger.hold(ACME, 100);
    expect(() => ledger.admit(ACME)).toThrow('holds 100 bytes of 100');
    hold[Symbol.dispose]();
    expect(() => ledger.admit(ACME)).not.toThrow();
  });

  it('forgets a namespace that holds nothing', () => {
    const ledger = createLedger();
    ledger.hold(ACME, 100)[Symbol.dispose]();
    expect(ledger.namespaces).toBe(0);
  });

  it('counts without a limit too', () => {
    const ledger = new MemoryLedger(liveLimits({ perNamespace: {}, namespaces: new Map(), cpuWindowMs: 10_000 }));
    ledger.hold(ACME, 1e12);
    expect(ledger.heldBy(ACME)).toBe(1e12);
  });

  it.each([-1, 0.5, NaN, Infinity, 2 ** 53])('rejects %p bytes', (bytes) => {
    const ledger = createLedger();
    expect(() => ledger.hold(ACME, bytes)).toThrow(RangeError);
    expect(ledger.heldBy(ACME)).toBe(0);
  });
});
