import { describe, expect, it } from '@jest/globals';
import type { ActionRecord } from '@palisade/domain';
import { canonicalAction, storableAction } from './canonical-action.js';

const MINIMAL: ActionRecord = {
  timestamp: new Date('2026-11-20T08:30:00.005Z'),
  userId: 'ann@example.com',
  action: 'tenant.register',
  resource: 'tenant:acme',
  result: 'success',
};

describe(canonicalAction.name, () => {
  it('leaves out what is absent and orders the names', () => {
    expect(canonicalAction({ ...MINIMAL, sequence: 7 })).toBe(
      '{"action":"tenant.register","resource":"tenant:acme","result":"success","sequence":7,' +
        '"timestamp":"2026-11-20T08:30:00.005Z","user_id":"ann@example.com"}',
    );
  });

  it('writes every field of the record', () => {
    const record: ActionRecord = {
      ...MINIMAL,
      tenantId: 'acme',
      namespace: 'orders',
      sessionId: 's1',
      rowsAccessed: 0,
      piiAccessed: false,
      detail: {},
    };

    expect(canonicalAction({ ...record, sequence: 1 })).toBe(
      '{"action":"tenant.register","detail":{},"namespace":"orders","pii_accessed":false,"resource":"tenant:acme",' +
        '"result":"success","rows_accessed":0,"sequence":1,"session_id":"s1","tenant_id":"acme",' +
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
      text: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    };

    expect(canonicalAction({ ...MINIMAL, detail, sequence: 1 })).toContain(
      '"detail":{"\\r":"Carriage Return","1":333333333.3333333,"text":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/","z":1e-27,' +
        '"\u0080":4.5,"ö":0.002,"\u20ac":"Euro Sign","\u{1f600}":1e+30,"\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });
});

describe(storableAction.name, () => {
  it('changes nothing that can be kept', () => {
    const record = { ...MINIMAL, detail: { a: 1, b: 'x', c: true, d: null } };

    expect(storableAction(record)).toEqual(record);
  });

  it('does not share dates or details with the caller', () => {
    const timestamp = new Date(MINIMAL.timestamp);
    const detail = { a: 1 };
    const kept = storableAction({ ...MINIMAL, timestamp, detail });

    timestamp.setTime(0);
    detail.a = 2;

    expect(kept).toEqual({ ...MINIMAL, detail: { a: 1 } });
  });

  it('cuts texts without leaving half a character', () => {
    const { resource } = storableAction({ ...MINIMAL, resource: `${'x'.repeat(511)}\u{1f600}` });

    expect(resource).toBe(`${'x'.repeat(511)}\ufffd`);
  });

  it('keeps a property of the detail that is called like the prototype', () => {
    const detail = JSON.parse('{"__proto__":"x"}');

    const kept = storableAction({ ...MINIMAL, detail });

    expect(JSON.stringify(kept.detail)).toBe('{"__proto__":"x"}');
    expect(canonicalAction({ ...kept, sequence: 1 })).toContain('"detail":{"__proto__":"x"}');
  });

  it('has a number for minus zero and null for what JSON cannot say', () => {
    const { detail } = storableAction({ ...MINIMAL, detail: { zero: -0, none: Number.NaN, all: Infinity } });

    expect(detail).toStrictEqual({ zero: 0, none: null, all: null });
  });
});
