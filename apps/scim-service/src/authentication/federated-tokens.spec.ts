import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { DEFAULT_PROVIDER_SETTINGS, parseProviderId, type TrustedIssuer } from '@palisade/domain';
import { JwtVerifier, UnauthenticatedError, isReservedActor, type JwtRequirements } from '@palisade/guards';
import { MemoryStore } from '@palisade/storage';
import { FederatedTokens } from './federated-tokens.js';
import { ProviderCache } from './provider-cache.js';

const ISSUER = 'https://idp.example.com';
const change = { actor: 'test', at: new Date(0) };

const PROVISIONER: TrustedIssuer = {
  issuer: ISSUER,
  audience: 'palisade',
  subject: 'sync',
  jwksUri: 'https://idp.example.com/keys',
  role: 'provisioner',
};
const USERS: TrustedIssuer = { ...PROVISIONER, subject: undefined, role: 'user', userClaim: 'upn' };

/** Takes every token for what its claims say, and notes what was required of it. */
class CredulousVerifier extends JwtVerifier {
  claims: JWTPayload = {};
  readonly requirements: JwtRequirements[] = [];

  override verify(_token: string, requirements: JwtRequirements): Promise<JWTPayload> {
    this.requirements.push(requirements);
    return Promise.resolve(this.claims);
  }
}

describe(FederatedTokens.name, () => {
  let store: MemoryStore;
  let verifier: CredulousVerifier;
  let tokens: FederatedTokens;

  beforeEach(() => {
    store = new MemoryStore();
    verifier = new CredulousVerifier();
    tokens = new FederatedTokens(new ProviderCache(store), verifier);
  });

  async function trust(id: string, ...trustedIssuers: TrustedIssuer[]): Promise<void> {
    const settings = { ...DEFAULT_PROVIDER_SETTINGS, trustedIssuers };
    await store.providers.create(parseProviderId(id), { settings }, change);
  }

  function authenticate(overrides: JWTPayload) {
    verifier.claims = { iss: ISSUER, aud: 'palisade', sub: 'sync', ...overrides };
    return tokens.authenticate('token', verifier.claims);
  }

  it('verifies a token with the trust of the provider that it is for', async () => {
    await trust('acme', PROVISIONER);
    await trust('globex', { ...PROVISIONER, audience: 'globex', jwksUri: 'https://idp.example.com/other' });
    await expect(authenticate({ aud: ['x', 'globex'] })).resolves.toEqual({
      kind: 'provider',
      provider: 'globex',
      actor: 'federated:sync',
    });
    expect(verifier.requirements).toEqual([expect.objectContaining({ jwksUri: 'https://idp.example.com/other' })]);
  });

  it('prefers the provisioner whom the subject names to the users', async () => {
    await trust('acme', USERS, PROVISIONER);
    await expect(authenticate({ upn: 'sync@example.com' })).resolves.toMatchObject({ kind: 'provider' });
    await expect(authenticate({ sub: 'u-1', upn: 'ann@example.com' })).resolves.toEqual({
      kind: 'user',
      provider: 'acme',
      userName: 'ann@example.com',
      actor: 'user:ann@example.com',
    });
  });

  it('rejects a token that two providers trust alike', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await trust('acme', PROVISIONER);
    await trust('globex', PROVISIONER);
    await expect(authenticate({})).rejects.toThrow(UnauthenticatedError);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  it('has no provisioner without a subject', async () => {
    await trust('acme', { ...PROVISIONER, subject: undefined });
    await expect(authenticate({})).rejects.toThrow(UnauthenticatedError);
    expect(verifier.requirements).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'missing'])('has no user in the claim %s', async (userClaim) => {
    await trust('acme', { ...USERS, userClaim });
    await expect(authenticate({ sub: 'u-1' })).rejects.toThrow(UnauthenticatedError);
  });

  it.each([false, 'false'])('has no user in an address with email_verified %j', async (verified) => {
    await trust('acme', { ...USERS, userClaim: 'email' });
    const claims = { sub: 'u-1', email: 'ceo@example.com', email_verified: verified };
    await expect(authenticate(claims)).rejects.toThrow(UnauthenticatedError);
  });

  it('names callers as no admin of an issuer can be named', async () => {
    await trust('acme', USERS, PROVISIONER);
    const { actor: provisioner } = await authenticate({});
    const { actor: user } = await authenticate({ sub: 'u-1', upn: 'ann@example.com' });
    expect([isReservedActor(provisioner), isReservedActor(user)]).toEqual([true, true]);
  });

  it('accepts trust that has been added elsewhere at once', async () => {
    await trust('acme', { ...PROVISIONER, audience: 'acme' });
    await expect(authenticate({ aud: 'globex' })).rejects.toThrow(UnauthenticatedError);
    await trust('globex', { ...PROVISIONER, audience: 'globex' });
    await expect(authenticate({ aud: 'globex' })).resolves.toMatchObject({ provider: 'globex' });
  });
});
