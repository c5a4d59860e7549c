import { describe, expect, it } from '@jest/globals';
import { MemoryStore } from '@palisade/storage';
import { actionOf } from '../../test/support/audit-samples.js';
import { formatRecord, parseRecord, toRecordJson } from './record-json.js';

async function recordOf(overrides: Parameters<typeof actionOf>[0] = {}) {
  const { actions } = new MemoryStore();
  await actions.append([actionOf(overrides)]);
  const [record] = await actions.list({ limit: 1 });
  return record as NonNullable<typeof record>;
}

const FULL = {
  tenantId: 'acme',
  namespace: 'orders',
  sessionId: '0199a3c4-7d9f-7000-8000-3c5200000000',
  rowsAccessed: 3,
  piiAccessed: false,
  detail: { text: 'quoted "\n"', number: 1e21, nothing: null },
};

describe(toRecordJson.name, () => {
  it("has document 2's names", async () => {
    expect(toRecordJson(await recordOf(FULL))).toEqual({
      sequence: 1,
      timestamp: '2026-11-20T08:30:00.000Z',
      tenant_id: 'acme',
      namespace: 'orders',
      session_id: '0199a3c4-7d9f-7000-8000-3c5200000000',
      user_id: 'ann@example.com',
      action: 'tenant.register',
      resource: 'tenant:acme',
      result: 'success',
      rows_accessed: 3,
      pii_accessed: false,
      detail: FULL.detail,
      previous_hash: '0'.repeat(64),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe(parseRecord.name, () => {
  it.each([{}, FULL])('reads what was written: %j', async (overrides) => {
    const record = await recordOf(overrides);

    expect(parseRecord(formatRecord(record))).toEqual(record);
  });

  it('refuses a line with anything more, less or written otherwise', async () => {
    const line = formatRecord(await recordOf(FULL));

    for (const forged of [
      line.replace('{', '{"note":"harmless",'),
      line.replace('"rows_accessed":3', '"rows_accessed":3.0'),
      line.replace('08:30:00.000Z', '08:30:00Z'),
      line.replace('08:30:00.000Z', 'never'),
      line.replace('"sequence":1', '"sequence":"1"'),
      line.replace(/"detail":\{.*?\}/, '"detail":{"deep":{"deeper":1}}'),
      line.replace(/"detail":\{.*?\}/, '"detail":null'),
      line.replace(/,"hash":"\w+"/, ''),
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
