import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parsePoolName } from '@palisade/domain';
import { digestSecret } from '@palisade/guards';
import { ControlApp } from '../apps/control-plane/test/support/control-app.js';
import { AdminApp } from '../apps/scim-service/test/support/admin-app.js';
import type { Method } from './support/routes-of.js';

const ROOT = join(import.meta.dirname, '..');
const SCOPES = ['read', 'operate', 'admin'] as const;
type Scope = (typeof SCOPES)[number];

interface Operation {
  readonly method: Method;
  readonly path: string;
  /** Undefined on public routes. */
  readonly api: 'scim' | 'admin' | undefined;
  readonly scope: Scope;
  readonly needsEveryNamespace: boolean;
  readonly admitsProxies: boolean;
}

interface DocumentedOperation {
  readonly security?: readonly Readonly<Record<string, readonly Scope[]>>[];
  readonly description?: string;
}

type Outcome = 'admitted' | 'unauthenticated' | 'forbidden';

function operationsOf(service: string): Operation[] {
  const { paths } = JSON.parse(readFileSync(join(ROOT, `docs/openapi/${service}.json`), 'utf8')) as {
    readonly paths: Record<string, Record<string, DocumentedOperation>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [], description = '' }]) => ({
      method: method as Method,
      path: path.replaceAll(/\{[^}]+\}/g, 'nobody'),
      api: (['admin', 'scim'] as const).find((api) => security[0]?.[api] !== undefined),
      scope: security[0]?.['admin']?.[0] ?? 'admin',
      needsEveryNamespace: description.includes('as an admin of every namespace'),
      admitsProxies: description.includes('the credential of the proxy itself'),
    })),
  );
}

const atScim = ({ api }: Operation): Outcome => (api === 'scim' ? 'admitted' : 'unauthenticated');
const atAdmin =
  (held: Scope) =>
  ({ api, scope }: Operation): Outcome => {
    if (api !== 'admin') {
      return 'unauthenticated';
    }
    return SCOPES.indexOf(held) >= SCOPES.indexOf(scope) ? 'admitted' : 'forbidden';
  };

const atProxy = ({ api, admitsProxies }: Operation): Outcome =>
  api === 'admin' ? (admitsProxies ? 'admitted' : 'forbidden') : 'unauthenticated';

/** What each credential of docs/security.md may do, at every route that is not public. */
const CREDENTIALS: Readonly<Record<string, (operation: Operation) => Outcome>> = {
  'none, or an unknown one': () => 'unauthenticated',
  'token of an identity provider': atScim,
  'admin token, scope `read`': atAdmin('read'),
  'admin token, scope `operate`': atAdmin('operate'),
  'admin token, scope `admin`': atAdmin('admin'),
  'JWT of an admin of some namespaces': (operation) =>
    operation.needsEveryNamespace ? 'forbidden' : atAdmin('admin')(operation),
  'JWT for another audience': () => 'unauthenticated',
  'token of a proxy': atProxy,
  'JWT of a proxy': atProxy,
};

const TOKENS = Object.fromEntries(SCOPES.map((scope) => [scope, `token-of-an-admin-with-${scope}`]));
const PROXY_TOKEN = 'token-of-the-proxies-of-standard';
const adminTokenDigests = SCOPES.map((scope) => ({
  name: `${scope}@example.com`,
  digest: digestSecret(`token-of-an-admin-with-${scope}`),
  scope,
}));
const proxyTokenDigests = [
  { name: 'eu', digest: digestSecret(PROXY_TOKEN), pool: parsePoolName('standard'), idPrefix: 'eu-' },
];

type App = Pick<ControlApp | AdminApp, 'request' | 'adminOf'>;

function outcomeOf(status: number): Outcome {
  return status === 401 ? 'unauthenticated' : status === 403 ? 'forbidden' : 'admitted';
}

describe('docs/security.md', () => {
  it('has each credential that is tried here in its table, and no other', () => {
    const [, section = ''] = readFileSync(join(ROOT, 'docs/security.md'), 'utf8').split('\n## Credentials\n');
    const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| ([^|]+?) +\|/gm)].map(([, name]) => name);
    expect(rows.slice(2)).toEqual(Object.keys(CREDENTIALS));
  });
});

describe.each(['control-plane', 'scim-service'])('every route of %s', (service) => {
  const isScimService = service === 'scim-service';
  const operations = operationsOf(service);
  let app: App & { close(): Promise<void> };
  let tokens: Readonly<Record<string, string>>;
  beforeAll(async () => {
    app = isScimService
      ? await AdminApp.start({ adminTokenDigests })
      : await ControlApp.start({ config: { adminTokenDigests, proxyTokenDigests } });
    const scimToken = app instanceof AdminApp ? await app.createProvider('acme') : 'static-scim-token-of-the-tests';
    tokens = {
      'none, or an unknown one': 'made-up',
      'token of an identity provider': scimToken,
      'admin token, scope `read`': TOKENS['read'] ?? '',
      'admin token, scope `operate`': TOKENS['operate'] ?? '',
      'admin token, scope `admin`': TOKENS['admin'] ?? '',
      'JWT of an admin of some namespaces': await app.adminOf(['mine']),
      'JWT for another audience': await app.adminOf(['*'], { aud: 'another-service' }),
      'token of a proxy': PROXY_TOKEN,
      'JWT of a proxy': await app.adminOf(['*'], { scope: 'proxy admin', pool: 'standard', id_prefix: '' }),
    };
  });
  afterAll(() => app.close());

  it.each(Object.entries(CREDENTIALS))('admits whom it should: %s', async (name, expected) => {
    const outcomes: Record<string, Outcome> = {};
    const wanted: Record<string, Outcome> = {};
    for (const operation of operations.filter(({ api }) => api !== undefined)) {
      const key = `${operation.method} ${operation.path}`;
      const { status } = await app.request(operation.method, operation.path, tokens[name]).send();
      outcomes[key] = outcomeOf(status);
      wanted[key] = isScimService && expected === atProxy ? 'unauthenticated' : expected(operation);
    }
    expect(outcomes).toEqual(wanted);
  });

  it('challenges whoever has no credential at all', async () => {
    for (const { method, path } of operations.filter(({ api }) => api !== undefined)) {
      const { status } = await app.request(method, path).send();
      expect([method, path, status]).toEqual([method, path, 401]);
    }
  });
});
