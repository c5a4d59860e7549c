import { describe, expect, it } from '@jest/globals';
import { withCredentials, type KafkaConnectOptions } from './kafka-options.js';

const LOGIN: KafkaConnectOptions = {
  brokers: ['kafka:9092'],
  sasl: { mechanism: 'SCRAM-SHA-512', username: 'service', password: 'secret' },
};
const TLS: KafkaConnectOptions = { brokers: ['kafka:9093'], tls: { ca: 'ca', cert: 'old', key: 'old' } };

describe(withCredentials.name, () => {
  it('replaces user and password, and nothing else', () => {
    expect(withCredentials(LOGIN, { username: 'alice', password: 'p' })).toEqual({
      brokers: ['kafka:9092'],
      sasl: { mechanism: 'SCRAM-SHA-512', username: 'alice', password: 'p' },
    });
  });

  it('replaces the certificate, and nothing else', () => {
    expect(withCredentials(TLS, { cert: 'new', key: 'new' })).toEqual({
      brokers: ['kafka:9093'],
      tls: { ca: 'ca', cert: 'new', key: 'new' },
    });
  });

  it.each([
    ['another server', LOGIN, { username: 'alice', password: 'p', brokers: ['evil:9092'] }],
    ['no password', LOGIN, { username: 'alice' }],
    ['a user that is no text', LOGIN, { username: 1, password: 'p' }],
    ['an empty password', LOGIN, { username: 'alice', password: '' }],
    ['another authority', TLS, { cert: 'new', key: 'new', ca: 'evil' }],
    ['nothing', LOGIN, {}],
  ])('rejects credentials with %s', (_, options, credentials) => {
    expect(() => withCredentials(options, credentials)).toThrow('expected username and password, or cert and key');
  });

  it('rejects what there is nothing to replace with', () => {
    expect(() => withCredentials(TLS, { username: 'alice', password: 'p' })).toThrow('does not log in');
    expect(() => withCredentials(LOGIN, { cert: 'new', key: 'new' })).toThrow('does not use TLS');
    const token = { brokers: [], sasl: { mechanism: 'OAUTHBEARER', token: 't' } } as const;
    expect(() => withCredentials(token, { username: 'alice', password: 'p' })).toThrow('does not log in');
  });
});
