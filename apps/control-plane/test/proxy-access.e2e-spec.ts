import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DEFAULT_PROVIDER_SETTINGS,
  formatResourceId,
  parseNamespaceId,
  parsePoolName,
  parseProviderId,
} from '@palisade/domain';
import { draftOf } from '../../../libs/storage/test/support/drafts.js';
import { ControlApp } from './support/control-app.js';

const PROVIDER = parseProviderId('okta');
const CHANGE = { actor: 'test', at: new Date(Date.UTC(2026, 10, 20)) };
const ADA = formatResourceId('User', PROVIDER, 'ada');
const TEAM = formatResourceId('Group', PROVIDER, 'team');

let app: ControlApp;

beforeAll(async () => {
  app = await ControlApp.start();
  const { bindings, directory, providers } = app.store;
  await providers.create(PROVIDER, { settings: DEFAULT_PROVIDER_SETTINGS }, CHANGE);
  await directory.create(PROVIDER, 'User', ADA, draftOf('User', { externalId: 'ada', userName: 'ada' }), CHANGE);
  const team = draftOf('Group', { externalId: 'team', displayName: 'team' });
  await directory.create(PROVIDER, 'Group', TEAM, team, CHANGE, { members: [ADA] });
  for (const namespace of ['orders', 'bills']) {
    await bindings.add(
      {
        namespace: parseNamespaceId(namespace),
        boundSubject: TEAM,
        relation: 'write',
        source: 'manual',
        approvedBy: 'ann',
      },
      CHANGE,
    );
  }
  await app.register('acme', { namespace_patterns: ['orders'], pool: 'standard' });
  await app.register('bolt', { namespace_patterns: ['bills'], pool: 'premium' });
  await app.addProxy('standard-1', parsePoolName('standard'));
  await app.addProxy('premium-1', parsePoolName('premium'));
});

afterAll(() => app.close());

const question = { user: ADA, namespace: 'orders', relation: 'write' };
const ask = (questions: readonly object[], token?: string) =>
  app.api('post', '/proxies/standard-1/access', token).send({ questions });

describe('POST /proxies/{id}/access', () => {
  it('answers each question in order, with the reason', async () => {
    const { body } = await ask([
      question,
      { ...question, user: 'ada', provider: 'okta', relation: 'read' },
      { ...question, relation: 'admin' },
      { ...question, user: 'user:scim:okta:nobody' },
    ]).expect(200);
    expect(body.answers).toEqual([
      { allowed: true, user: ADA, because: { groups: [TEAM], relation: 'write' } },
      { allowed: true, user: ADA, because: { groups: [TEAM], relation: 'write' } },
      { allowed: false, reason: 'weaker_relation' },
      { allowed: false, reason: 'no_relation' },
    ]);
  });

  it('answers nothing about namespaces of other pools', async () => {
    const { body } = await ask([{ ...question, namespace: 'bills' }]).expect(200);
    expect(body.answers).toEqual([{ allowed: false, reason: 'not_served' }]);
  });

  it('goes on answering for a tenant that the pool is about to lose', async () => {
    await app.register('move', { namespace_patterns: ['moving'], pool: 'standard' });
    await app.store.bindings.add(
      {
        namespace: parseNamespaceId('moving'),
        boundSubject: TEAM,
        relation: 'read',
        source: 'manual',
        approvedBy: 'ann',
      },
      CHANGE,
    );
    await app
      .api('put', '/tenants/move')
      .send({ namespace_patterns: ['moving'], pool: 'premium' })
      .expect(200);
    const { body } = await ask([{ user: ADA, namespace: 'moving' }]).expect(200);
    expect(body.answers).toMatchObject([{ allowed: true }]);
  });

  it('says no to who was deactivated, without telling why', async () => {
    const draft = draftOf('User', { externalId: 'bob', userName: 'bob', active: false });
    await app.store.directory.create(PROVIDER, 'User', formatResourceId('User', PROVIDER, 'bob'), draft, CHANGE);
    const { body } = await ask([{ ...question, user: 'user:scim:okta:bob' }]).expect(200);
    expect(body.answers).toEqual([{ allowed: false, reason: 'no_relation' }]);
  });

  it('is for the proxy itself, and for no other', async () => {
    const eu = { pool: 'standard', host: '10.0.0.7', port: 8080 };
    const token = await app.proxyJwt();
    await app
      .api('post', '/proxies', token)
      .send({ id: 'eu-1', ...eu })
      .expect(201);
    await app
      .api('post', '/proxies/eu-1/access', token)
      .send({ questions: [question] })
      .expect(200);
    await ask([question], token).expect(404);
    await app
      .api('post', '/proxies/nobody/access')
      .send({ questions: [question] })
      .expect(404);
    await ask([question], await app.adminOf(['orders'])).expect(403);
  });

  it.each([
    ['no question', []],
    ['more than a thousand', Array.from({ length: 1001 }, () => question)],
    ['an external id without a provider', [{ ...question, user: 'ada' }]],
    ['a group', [{ ...question, user: TEAM }]],
    ['an unknown relation', [{ ...question, relation: 'own' }]],
    ['no namespace', [{ user: ADA }]],
    ['an invalid namespace', [{ ...question, namespace: 'Orders!' }]],
    ['an unknown key', [{ ...question, tenant: 'acme' }]],
  ])('rejects %s', async (_, questions) => {
    const { body } = await ask(questions).expect(400);
    expect(body).toMatchObject({ status: 400 });
  });
});
