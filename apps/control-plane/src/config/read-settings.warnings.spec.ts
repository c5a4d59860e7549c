import { describe, expect, it } from '@jest/globals';
import { readSettings } from './read-settings.js';

const POOLS =
  'proxy_pools: { standard: { isolation_level: namespace }, premium: { isolation_level: session }, dedicated: { isolation_level: session } }\n';
const HYBRID = `deployment: { model: hybrid }\n${POOLS}`;
const SINGLE = 'deployment: { model: single_tenant, tenant_id: acme }\nproxy: { isolation_level: none }\n';
const SHARED = 'deployment: multi_tenant, pool: standard';

const rules = (...list: readonly (readonly [match: string, action: string])[]): string =>
  `tenant_routing: { rules: [${list.map(([match, action]) => `{ match: { ${match} }, action: { ${action} } }`).join(', ')}] }`;

const WARNINGS: readonly [what: string, file: string, warnings: readonly string[]][] = [
  ['nothing', `${HYBRID}default_pool: standard\n${rules(['tier: premium', SHARED], ['', SHARED])}`, []],
  ['hybrid without rules', HYBRID, ['tenant_routing: has no rules, so that hybrid is the same as multi_tenant']],
  [
    'a rule after one for everybody',
    HYBRID + rules(['', SHARED], ['tier: premium', SHARED]),
    ['tenant_routing.rules[1]: never matches: tenant_routing.rules[0] takes all of its tenants before it'],
  ],
  [
    'a rule after one with fewer conditions',
    HYBRID +
      rules(['tier: enterprise', SHARED], ['tier: premium', SHARED], ['tier: enterprise, contracts: [a]', SHARED]),
    ['tenant_routing.rules[2]: never matches: tenant_routing.rules[0] takes all of its tenants before it'],
  ],
  [
    'a rule after one with less revenue',
    HYBRID + rules(['annual_revenue: ">=10"', SHARED], ['annual_revenue: ">10"', SHARED]),
    ['tenant_routing.rules[1]: never matches: tenant_routing.rules[0] takes all of its tenants before it'],
  ],
  [
    'a rule after one with more revenue',
    HYBRID + rules(['annual_revenue: ">10"', SHARED], ['annual_revenue: ">=10"', SHARED]),
    [],
  ],
  [
    'a rule for nobody',
    HYBRID + rules(['contracts: []', SHARED], ['annual_revenue: "<0"', SHARED]),
    [
      'tenant_routing.rules[0].match: never matches: contracts names no tenant',
      'tenant_routing.rules[1].match: never matches: no revenue is below 0',
    ],
  ],
  [
    'a rule without a pool',
    HYBRID + rules(['tier: premium', 'deployment: multi_tenant']),
    [
      'tenant_routing.rules[0].action: names no pool, and neither namespace_routing nor default_pool does: its tenants have to',
    ],
  ],
  [
    'a rule without a pool for a deployment of its own',
    HYBRID + rules(['tier: premium', 'deployment: single_tenant']),
    [],
  ],
  [
    'a rule without a pool beside routes',
    `${HYBRID}namespace_routing: [{ namespace: a, pool: standard }]\n${rules(['tier: premium', 'deployment: multi_tenant'])}`,
    [],
  ],
  [
    'what a single tenant has no use for',
    `deployment: { model: single_tenant, tenant_id: acme, control_plane: x }\nproxy: { isolation_level: none }\nbackends: { postgres: { endpoint: "h:1", provisioning: { tenant_secret_file: /s, admin_url_file: /f } } }`,
    [
      'deployment.control_plane: has no effect in single_tenant',
      'backends.postgres.provisioning: has no effect in single_tenant: the backend belongs to the one tenant',
    ],
  ],
  [
    'a dedicated cluster of many',
    `${POOLS}cluster: { mode: dedicated }`,
    ['cluster.mode: is dedicated, but the clusters of multi_tenant are shared'],
  ],
  [
    'an unknown framework',
    `${POOLS}compliance: { frameworks: [TISAX] }`,
    [
      'compliance.frameworks[0]: unknown framework "TISAX", for which nothing is checked; known are HIPAA, PCI-DSS, SOC2, ISO27001, GDPR',
    ],
  ],
  [
    'what a framework asks for without insisting',
    `${POOLS}backends: { redis: { endpoint: "h:1" } }\ncompliance: { frameworks: [SOC2], audit_retention_days: 90 }`,
    [
      'audit_backend: expected a location that the log is exported to, as SOC2 asks for it, found nothing',
      'backends.redis.ssl_mode: expected verify-ca or verify-full, as SOC2 demands verified TLS, found nothing',
      'compliance.pii_encryption: expected true, as SOC2 asks for it, found false',
      'compliance.audit_retention_days: expected at least 365 days for SOC2, found 90',
    ],
  ],
  [
    'connections that one tenant shares with itself',
    `${SINGLE}compliance: { frameworks: [GDPR], pii_encryption: true }`,
    [],
  ],
];

describe(readSettings.name, () => {
  it.each(WARNINGS)('warns of %s', (_what, file, expected) => {
    const { problems, warnings } = readSettings(file, 'f');
    expect([problems, warnings.map((warning) => warning.replace(/^f(:\d+:\d+|:) /, ''))]).toEqual([[], expected]);
  });
});
