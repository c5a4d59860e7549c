import { describe, expect, it } from '@jest/globals';
import { LOG_START, type SealedRecord, sealRecords } from '@palisade/domain';
import { recordOf } from '../../test/support/fake-log.js';
import { formatRecord, parseRecord } from './record-json.js';

function sealed(overrides: Parameters<typeof recordOf>[0] = {}): SealedRecord {
  return sealRecords([recordOf(overrides)], LOG_START, new Map())[0] as SealedRecord;
}

const FULL = {
  provider: 'entra',
  tenantId: 'acme',
  namespace: 'orders',
  sessionId: '0199a3c4-7d9f-7000-8000-3c5200000000',
  rowsAccessed: 3,
  piiAccessed: false,
  requestId: 'r1',
  detail: { text: 'quoted "\n"', number: 1e21, nothing: null, list: [1, { deep: true }] },
};

describe(parseRecord.name, () => {
  it.each([{}, FULL])('reads what was written: %j', (overrides) => {
    const record = sealed(overrides);

    expect(parseRecord(formatRecord(record))).toEqual(record);
  });

  it('rejects a line with anything more, less or written otherwise', () => {
    const line = formatRecord(sealed(FULL));

    for (const forged of [
      line.replace('{', '{"note":"harmless",'),
      line.replace('"rows_accessed":3', '"rows_accessed":3.0'),
      line.replace('08:30:00.000Z', '08:30:00Z'),
      line.replace('08:30:00.000Z', 'never'),
      line.replace('"position":1', '"position":"1"'),
      line.replace(/"detail":\{.*?\}\]\}/, '"detail":null'),
      line.replace(/,"hash":"\w+"/, ''),
      line.replace(/,"seal":"\w+"/, ''),
      ` ${line}`,
      line.slice(0, -1),
      '[]',
      'null',
      '',
      '['.repeat(100_000),
    ]) {
      expect(parseRecord(forged)).toBeUndefined();
    }
  });
});
