import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, parseTenantId } from '@palisade/domain';
import { NatsNames } from '../subject-space.js';
import { type NatsIdentity, type NatsTenant, renderNatsUsers } from './render-users.js';

const ACME = parseTenantId('acme');
const BOLT = parseTenantId('bolt');
const EU = parseNamespaceId('eu');
const NKEY = `U${'A'.repeat(55)}`;
const OTHER_NKEY = `U${'B'.repeat(55)}`;
const PASSWORD_HASH = `$2a$11$${'x'.repeat(53)}`;
const NAMES = new NatsNames({});

const TENANTS: readonly NatsTenant[] = [
  { tenantId: BOLT, identities: [{ nkey: OTHER_NKEY }] },
  {
    tenantId: ACME,
    identities: [{ nkey: NKEY }, { user: 'acme', passwordHash: PASSWORD_HASH }],
    streams: [{ namespace: EU, name: 'orders' }],
  },
];

describe(renderNatsUsers.name, () => {
  it('allows users their subjects, their replies and to fetch from their streams', () => {
    const own = '"tenant.acme.>", "_INBOX_acme.>"';
    const streams =
      '"$JS.API.STREAM.INFO.acme_eu_orders", "$JS.API.CONSUMER.INFO.acme_eu_orders.*", ' +
      '"$JS.API.CONSUMER.MSG.NEXT.acme_eu_orders.*", "$JS.ACK.acme_eu_orders.>"';
    const acme = `permissions: { publish: { allow: [${own}, ${streams}] }, subscribe: { allow: [${own}] } }`;
    const other = '"tenant.bolt.>", "_INBOX_bolt.>"';
    expect(renderNatsUsers({ form: 'permissions', tenants: TENANTS }, NAMES)).toBe(
      [
        '# Made by Palisade, which overwrites what is changed here.',
        'users: [',
        `  { nkey: "${NKEY}", ${acme} }`,
        `  { user: "acme", password: "${PASSWORD_HASH}", ${acme} }`,
        `  { nkey: "${OTHER_NKEY}", permissions: { publish: { allow: [${other}] }, subscribe: { allow: [${other}] } } }`,
        ']',
        '',
      ].join('\n'),
    );
  });

  it('gives tenants an account each', () => {
    const storage = { maxMemoryBytes: 1, maxFileBytes: 2, maxStreams: 3, maxConsumers: 4 };
    const tenants = [{ tenantId: ACME, identities: [{ nkey: NKEY }], storage }];
    expect(renderNatsUsers({ form: 'accounts', tenants }, NAMES)).toBe(
      [
        '# Made by Palisade, which overwrites what is changed here.',
        '"tenant-acme": {',
        '  jetstream: { max_mem: 1, max_file: 2, max_streams: 3, max_consumers: 4 }',
        '  users: [',
        `    { nkey: "${NKEY}" }`,
        '  ]',
        '}',
        '',
      ].join('\n'),
    );
  });

  it('comes to the same in whatever order tenants and streams are', () => {
    const forwards = renderNatsUsers({ form: 'permissions', tenants: TENANTS }, NAMES);
    expect(renderNatsUsers({ form: 'permissions', tenants: TENANTS.toReversed() }, NAMES)).toBe(forwards);
  });

  it('lets those who are trusted do everything', () => {
    const rendered = renderNatsUsers({ form: 'permissions', tenants: [], trusted: [{ nkey: NKEY }] }, NAMES);
    expect(rendered).toContain(`{ nkey: "${NKEY}" }`);
  });

  it.each<[string, NatsIdentity]>([
    ['a seed instead of a key', { nkey: `SU${'A'.repeat(56)}` }],
    ['a key with something behind it', { nkey: `${NKEY}" }, { user: "eve` }],
    ['a key with a line behind it', { nkey: `${NKEY}\n` }],
    ['a user with quotes', { user: 'eve", permissions: {', passwordHash: PASSWORD_HASH }],
    ['a user with a line end', { user: 'eve\n', passwordHash: PASSWORD_HASH }],
    ['a user that is a variable', { user: '$HOME', passwordHash: PASSWORD_HASH }],
    ['no user', { user: '', passwordHash: PASSWORD_HASH }],
    ['a password that is no digest', { user: 'eve', passwordHash: 'secret' }],
    ['a digest with something behind it', { user: 'eve', passwordHash: `${PASSWORD_HASH}"` }],
  ])('rejects %s, and does not tell it', (_, identity) => {
    const tenants = [{ tenantId: ACME, identities: [identity] }];
    for (const form of ['permissions', 'accounts'] as const) {
      expect(() => renderNatsUsers({ form, tenants }, NAMES)).toThrow(TypeError);
      expect(() => renderNatsUsers({ form, tenants }, NAMES)).not.toThrow('secret');
    }
  });

  it.each(['*', '>', 'a.b', 'a"', ''])('rejects %j as a stream', (stream) => {
    const tenants = [{ tenantId: ACME, identities: [{ nkey: NKEY }], streams: [{ namespace: EU, name: stream }] }];
    expect(() => renderNatsUsers({ form: 'permissions', tenants }, NAMES)).toThrow('NATS stream');
  });

  it.each([-1, 0.5, NaN, Infinity])('rejects %d as a limit', (maxStreams) => {
    const storage = { maxMemoryBytes: 1, maxFileBytes: 2, maxStreams, maxConsumers: 4 };
    const tenants = [{ tenantId: ACME, identities: [{ nkey: NKEY }], storage }];
    expect(() => renderNatsUsers({ form: 'accounts', tenants }, NAMES)).toThrow('max_streams');
  });

  it('rejects a tenant that is there twice', () => {
    const tenants = [...TENANTS, ...TENANTS.slice(0, 1)];
    expect(() => renderNatsUsers({ form: 'permissions', tenants }, NAMES)).toThrow('each once');
  });
});
