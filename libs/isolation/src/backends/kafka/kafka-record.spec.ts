import { describe, expect, it } from '@jest/globals';
import { DEFAULT_RECORD_LIMITS, encodeRecords, type KafkaRecord } from './kafka-record.js';

const encode = (...records: unknown[]) =>
  encodeRecords('acme.orders', records as KafkaRecord[], { maxRecords: 2, maxBytes: 10 });

describe(encodeRecords.name, () => {
  it('makes bytes of texts, and counts them', () => {
    const { messages, bytes } = encode({ key: 'ä', value: 'v', headers: { h: Buffer.from([1]) }, partition: 3 });
    expect(bytes).toBe(5);
    expect(messages).toEqual([
      {
        topic: 'acme.orders',
        key: Buffer.from('ä'),
        value: Buffer.from('v'),
        headers: new Map([[Buffer.from('h'), Buffer.from([1])]]),
        partition: 3,
        timestamp: undefined,
      },
    ]);
  });

  it('copies bytes, so that they may be used again', () => {
    const value = Buffer.from('a');
    const { messages } = encode({ value });
    value.write('b');
    expect(messages[0]?.value).toEqual(Buffer.from('a'));
  });

  it('keeps the time in milliseconds', () => {
    expect(encode({ value: '', timestamp: new Date(1_234) }).messages[0]?.timestamp).toBe(1_234n);
  });

  it.each([
    ['too many', [{ value: '' }, { value: '' }, { value: '' }], 'records: expected an array of at most 2'],
    ['too large together', [{ value: '12345' }, { value: '123456' }], 'records: expected at most 10 bytes together'],
    ['without a value', [{ key: 'k' }], 'records[0].value: expected a text or bytes'],
    ['with a number', [{ value: 1 }], 'records[0].value: expected a text or bytes'],
    ['with a header that is none', [{ value: '', headers: { h: null } }], 'records[0].headers: expected'],
    ['with a partition below zero', [{ value: '', partition: -1 }], 'records[0].partition: expected'],
    ['with half a partition', [{ value: '', partition: 0.5 }], 'records[0].partition: expected'],
    ['with no date', [{ value: '', timestamp: new Date(NaN) }], 'records[0].timestamp: expected'],
  ])('rejects records %s', (_, records, message) => {
    expect(() => encode(...records)).toThrow(message);
  });

  it('rejects what is no list', () => {
    expect(() => encodeRecords('t', 'ab' as unknown as KafkaRecord[], DEFAULT_RECORD_LIMITS)).toThrow(
      expect.objectContaining({ code: 'INVALID_RECORD' }),
    );
  });
});
