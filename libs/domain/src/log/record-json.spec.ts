import { describe, expect, it } from '@jest/globals';
import { LOG_START, sealRecords } from './log-chain.js';
import type { LogRecord, SealedRecord } from './log-record.js';
import { fromRecordJson, toRecordJson } from './record-json.js';

const MINIMAL: LogRecord = {
  timestamp: new Date('2026-11-20T08:30:00.000Z'),
  userId: 'ann@example.com',
  action: 'tenant.register',
  resource: 'tenant:acme',
  result: 'success',
};

const FULL: LogRecord = {
  ...MINIMAL,
  provider: 'entra',
  tenantId: 'acme',
  namespace: 'orders',
  sessionId: '0199a3c4-7d9f-7000-8000-3c5200000000',
  rowsAccessed: 3,
  piiAccessed: false,
  requestId: 'r1',
  detail: { number: 1e21, nothing: null },
};

function sealed(record: LogRecord): SealedRecord {
  return sealRecords([record], LOG_START, new Map())[0] as SealedRecord;
}

describe(toRecordJson.name, () => {
  it("has document 2's names", () => {
    expect(toRecordJson(sealed(FULL))).toEqual({
      position: 1,
      timestamp: '2026-11-20T08:30:00.000Z',
      scope: 'entra',
      provider: 'entra',
      tenant_id: 'acme',
      namespace: 'orders',
      session_id: '0199a3c4-7d9f-7000-8000-3c5200000000',
      user_id: 'ann@example.com',
      action: 'tenant.register',
      resource: 'tenant:acme',
      result: 'success',
      rows_accessed: 3,
      pii_accessed: false,
      request_id: 'r1',
      detail: FULL.detail,
      previous_hash: '0'.repeat(64),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      seal: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it.each([MINIMAL, FULL])('leads back to the record: %j', (record) => {
    expect(fromRecordJson(toRecordJson(sealed(record)))).toEqual(sealed(record));
  });

  it('leaves out what is absent', () => {
    expect(toRecordJson(sealed(MINIMAL))).not.toHaveProperty('tenant_id');
  });
});
