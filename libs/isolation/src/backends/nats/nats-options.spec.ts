import { describe, expect, it } from '@jest/globals';
import { createNatsKey } from './provisioning/nats-key.js';
import { connectionOptions, withCredentials } from './nats-options.js';

const { nkey, seed } = createNatsKey();
const JWT = 'header.payload.signature';
const CREDS = `-----BEGIN NATS USER JWT-----\n${JWT}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;

/** What is sent to a server that asks for a proof. */
function proofOf(credentials: Record<string, unknown>): Record<string, unknown> {
  const { authenticator } = withCredentials({}, credentials);
  return typeof authenticator === 'function' ? { ...authenticator('nonce') } : {};
}

describe(withCredentials.name, () => {
  it('replaces who connects, and nothing else', () => {
    const tls = { ca: 'certificate' };
    const config = { servers: 'nats', tls, user: 'service', pass: 'secret', token: 'token' };
    expect(withCredentials(config, { user: 'ada', password: 'own' })).toEqual({
      servers: 'nats',
      tls,
      user: 'ada',
      pass: 'own',
    });
    expect(withCredentials(config, { token: 'own' })).toEqual({ servers: 'nats', tls, token: 'own' });
  });

  it('proves the possession of a key', () => {
    expect(proofOf({ nkeySeed: seed })).toMatchObject({ nkey, sig: expect.any(String) });
  });

  it.each([
    ['a JWT and its key', { jwt: JWT, nkeySeed: seed }],
    ['a credentials file', { creds: CREDS }],
  ])('shows %s', (_, credentials) => {
    expect(proofOf(credentials)).toMatchObject({ jwt: JWT, sig: expect.any(String) });
  });

  it.each([
    ['another server', { user: 'ada', password: 'own', servers: 'example.com' }],
    ['no password', { user: 'ada' }],
    ['an empty token', { token: '' }],
    ['a seed that is no text', { nkeySeed: 1 }],
    ['nothing', {}],
    ['two ways at once', { token: 'own', nkeySeed: seed }],
  ])('rejects credentials with %s', (_, credentials) => {
    expect(() => withCredentials({}, credentials)).toThrow(TypeError);
  });
});

describe(connectionOptions.name, () => {
  it('never lets the client connect again by itself, and has replies come to the namespace', () => {
    const given = { servers: 'nats', reconnect: true, inboxPrefix: '_INBOX' };
    const { signal } = new AbortController();
    expect(connectionOptions(given, '_INBOX_acme', signal)).toMatchObject({
      servers: 'nats',
      reconnect: false,
      inboxPrefix: '_INBOX_acme',
    });
  });
});
