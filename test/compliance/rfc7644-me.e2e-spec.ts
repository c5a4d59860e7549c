import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import type { ScimClient } from '../support/scim-client.js';
import { user } from '../support/scim-bodies.js';
import { TokenIssuer } from '../support/token-issuer.js';
import { rejection } from './rejection.js';

let app: ScimApp;
let issuer: TokenIssuer;
beforeAll(async () => {
  app = await ScimApp.start();
  issuer = await TokenIssuer.start('https://issuer.example.com');
});
afterAll(async () => {
  await app.close();
  await issuer.close();
});

const AUDIENCE = 'palisade';

/** A provider whose users authenticate with tokens that name the issuer. */
function connectWithUsers(name: string): Promise<ScimClient> {
  const { jwksUri } = issuer;
  const trusted = { issuer: name, audience: AUDIENCE, jwksUri, role: 'user', userClaim: 'upn' } as const;
  return app.connect({ trustedIssuers: [trusted] });
}

describe('RFC 7644 §3.11 the authenticated subject', () => {
  it('[RFC7644-3.11-1] answers 501 to a credential that stands for no user', async () => {
    const scim = await app.connect();
    expect(rejection(await scim.get('/Me'))).toBe('501');
  });

  it('[RFC7644-3.11-2] answers a user with their resource and its permanent location', async () => {
    const scim = await connectWithUsers('https://first.example.com');
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
    await scim.post('/Users', user({ userName: 'bob' }));
    const token = await issuer.sign({ iss: 'https://first.example.com', aud: AUDIENCE, sub: '1', upn: 'alice' });
    const { status, headers, body } = await scim.withToken(token).get('/Me');
    expect([status, headers.location, body]).toEqual([200, alice.meta.location, alice]);
  });

  it.each(['put', 'patch', 'post', 'delete'] as const)(
    '[RFC7644-3.11-1] answers 501 to %s, as users change in their identity provider',
    async (method) => {
      const name = `https://${method}.example.com`;
      const scim = await connectWithUsers(name);
      const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
      const token = await issuer.sign({ iss: name, aud: AUDIENCE, sub: '1', upn: 'alice' });

      const answer = await scim.withToken(token)[method]('/Me', user({ userName: 'alice', title: 'x' }));

      const { body: after } = await scim.get(`/Users/${alice.id}`);
      expect([rejection(answer), after]).toEqual(['501', alice]);
    },
  );

  it('[RFC7644-3.11] answers 404 to a user who is not in the directory', async () => {
    const scim = await connectWithUsers('https://second.example.com');
    const token = await issuer.sign({ iss: 'https://second.example.com', aud: AUDIENCE, sub: '1', upn: 'alice' });
    expect(rejection(await scim.withToken(token).get('/Me'))).toBe('404');
  });

  it('takes nobody for a user whose userName has characters of another width, and ignores case', async () => {
    const name = 'https://width.example.com';
    const scim = await connectWithUsers(name);
    await scim.post('/Users', user({ userName: 'alice@example.com' }));
    const me = async (upn: string) =>
      scim.withToken(await issuer.sign({ iss: name, aud: AUDIENCE, sub: '1', upn })).get('/Me');

    expect(rejection(await me('\uff41lice@example.com'))).toBe('404');
    expect(rejection(await me('alice\uff20example\uff0ecom'))).toBe('404');
    expect((await me('Alice@Example.com')).status).toBe(200);
  });

  it('[RFC7644-2-6][RFC7644-7.7-3] lets a user see nobody but themselves and change nobody', async () => {
    const scim = await connectWithUsers('https://third.example.com');
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice', externalId: 'e-1' }));
    const asUser = scim.withToken(
      await issuer.sign({ iss: 'https://third.example.com', aud: AUDIENCE, sub: '1', upn: 'alice' }),
    );
    const answers = [
      await asUser.get('/Users'),
      await asUser.get('/Users/e-1'),
      await asUser.put('/Users/e-1', user({ userName: 'alice', active: false })),
      await asUser.delete('/Users/e-1'),
    ];
    const { body: after } = await scim.get('/Users/e-1');
    expect([answers.map(rejection), after]).toEqual([['403', '403', '403', '403'], alice]);
  });
});
