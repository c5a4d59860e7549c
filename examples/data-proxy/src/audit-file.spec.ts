import { describe, expect, it } from '@jest/globals';
import { type LogRecord, parseNamespaceId } from '@palisade/domain';
import { toActionJson } from './audit-file.js';

const RECORD: LogRecord = {
  timestamp: new Date(0),
  namespace: parseNamespaceId('acme'),
  userId: 'api-key:0123456789abcdef',
  action: 'postgres.query',
  resource: 'notes.list',
  result: 'success',
};

describe(toActionJson.name, () => {
  it('has the namespace stand for the tenant where the credential names none', () => {
    expect(toActionJson(RECORD)).toMatchObject({ tenant_id: 'acme', namespace: 'acme' });
  });

  it('says the tenant and the session', () => {
    const record = { ...RECORD, tenantId: 'acme-inc', sessionId: '7b1f0f5e-6a52-4a57-9f0a-0a8f6a3f7a10' };
    expect(toActionJson(record)).toMatchObject({ tenant_id: 'acme-inc', session_id: record.sessionId });
  });
});
