import { describe, expect, it } from '@jest/globals';
import { nkeys } from '@nats-io/transport-node';
import { parseNamespaceId, parseTenantId } from '@palisade/domain';
import { natsKeyFrom } from './backends/nats/provisioning/nats-key.js';
import { TenantSecrets } from './tenant-secrets.js';
import { ownTenant } from './tenant-namespace.js';

const ACME = parseNamespaceId('acme');
const SECRET = 'one secret of more than 32 characters';

describe(TenantSecrets.name, () => {
  it('derives a password for each backend and namespace', () => {
    const secrets = new TenantSecrets(SECRET);
    const passwords = [
      secrets.passwordOf('redis', ownTenant(ACME)),
      secrets.passwordOf('kafka', ownTenant(ACME)),
      secrets.passwordOf('redis', parseTenantId('acme2')),
    ];
    expect(new Set(passwords).size).toBe(3);
    expect(passwords[0]).toMatch(/^[\w-]{43}$/);
  });

  it('derives the same for whoever has the same secret, and nothing of it for others', () => {
    const password = (secret: string) => new TenantSecrets(secret).passwordOf('redis', ownTenant(ACME));
    expect(password(SECRET)).toBe(password(SECRET));
    expect(password(`${SECRET}!`)).not.toBe(password(SECRET));
  });

  it('derives a key that NATS understands', () => {
    const { nkey, seed } = new TenantSecrets(SECRET).natsKeyOf(ownTenant(ACME));
    const pair = nkeys.fromSeed(Buffer.from(seed));
    expect(nkey).toMatch(/^U[A-Z2-7]{55}$/);
    expect(nkeys.fromPublic(nkey).verify(Buffer.from('nonce'), pair.sign(Buffer.from('nonce')))).toBe(true);
    expect(new TenantSecrets(SECRET).natsKeyOf(ownTenant(ACME))).toEqual({ nkey, seed });
  });

  it('rejects a secret that could be guessed', () => {
    expect(() => new TenantSecrets('x'.repeat(31))).toThrow('expected a secret of at least 32 characters');
  });
});

describe(natsKeyFrom.name, () => {
  it('makes different keys of different seeds', () => {
    const [one, other] = [natsKeyFrom(Buffer.alloc(32, 1)), natsKeyFrom(Buffer.alloc(32, 2))];
    expect(one.nkey).not.toBe(other.nkey);
  });

  it('demands 32 bytes', () => {
    expect(() => natsKeyFrom(Buffer.alloc(31))).toThrow(RangeError);
  });
});
