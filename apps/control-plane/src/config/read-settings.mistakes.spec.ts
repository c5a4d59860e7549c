import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { readSettings } from './read-settings.js';
import { configurationSchema } from './reference.js';

const POOLS = 'proxy_pools: { standard: { isolation_level: namespace }, premium: { isolation_level: session } }\n';
const SINGLE = 'deployment: { model: single_tenant, tenant_id: acme }\nproxy: { isolation_level: none }\n';
const HYBRID = `deployment: { model: hybrid }\n${POOLS}`;

/** Who sees the mistake: the schema (and so an editor), only the program, or only its reader of YAML. */
type Seer = 'schema' | 'program' | 'yaml';

const MISTAKES: readonly [Seer, what: string, base: string, more: string, problems: readonly string[]][] = [
  ['schema', 'not a map', '', '[1, 2]', ['expected an object, found a list']],
  ['schema', 'an unknown section', POOLS, 'proxy_pols: {}', ['proxy_pols: unknown key, did you mean proxy_pools?']],
  [
    'schema',
    'a section that is a list',
    POOLS,
    'health_checks: []',
    ['health_checks: expected an object, found a list'],
  ],
  ['schema', 'a section that is a text', POOLS, 'compliance: HIPAA', ['compliance: expected an object, found "HIPAA"']],
  ['schema', 'a section without anything', POOLS, 'dns:', ['dns: expected an object, found nothing']],
  [
    'schema',
    'a key in camelCase',
    '',
    'proxy_pools: { standard: { isolationLevel: namespace, isolation_level: namespace } }',
    ['proxy_pools.standard.isolationLevel: unknown key, did you mean isolation_level?'],
  ],
  [
    'schema',
    'a key with words in another order',
    POOLS,
    'connection_pools: { redis: { max_connections_total: 5 } }',
    ['connection_pools.redis.max_connections_total: unknown key, did you mean max_total_connections?'],
  ],
  [
    'schema',
    'a top-level section inside of another one',
    POOLS,
    'prism_bridge: { namespace_routing: [] }',
    ['prism_bridge.namespace_routing: unknown key; it belongs to the top level of the file'],
  ],
  ['schema', 'a key that has nothing in common with others', POOLS, 'zzz: 1', ['zzz: unknown key']],
  [
    'schema',
    'both names of one section',
    POOLS,
    'control_plane: { listen_addr: "127.0.0.1:1" }\nprism_bridge: { listen_addr: "127.0.0.1:2" }',
    ['prism_bridge: expected either control_plane or prism_bridge, found both'],
  ],
  [
    'schema',
    'a key that every object has',
    POOLS,
    'constructor: {}',
    ['constructor: expected another name, as every object has this one'],
  ],
  [
    'yaml',
    'a key that reaches into what objects inherit',
    POOLS,
    'proxy: { __proto__: { replicas: 1 } }',
    ['proxy.__proto__: expected another name, as every object has this one'],
  ],
  ['yaml', 'a key twice', POOLS, 'drain_timeout: 1s\ndrain_timeout: 2s', ['drain_timeout: expected once, found twice']],
  [
    'schema',
    'a merge key',
    POOLS,
    'proxy: { <<: { replicas: 1 } }',
    ['proxy["<<"]: merge keys belong to YAML 1.1; write the keys out, or use an alias for the value'],
  ],
  ['schema', 'a key on two lines', POOLS, '"two\\nlines": 1', ['["two\\nlines"]: unknown key']],
  [
    'schema',
    'an unknown model',
    POOLS,
    'deployment: { model: multitenant }',
    ['deployment.model: expected single_tenant, multi_tenant or hybrid, found "multitenant"'],
  ],
  [
    'program',
    'a single tenant without its id',
    '',
    'deployment: { model: single_tenant }\nproxy: { isolation_level: none }',
    ['deployment.tenant_id: expected a tenant id: 1 to 63 of a-z, 0-9 and inner "-", found nothing'],
  ],
  [
    'schema',
    'an invalid tenant id',
    '',
    'deployment: { model: single_tenant, tenant_id: Acme_Corp }\nproxy: { isolation_level: none }',
    ['deployment.tenant_id: expected a tenant id: 1 to 63 of a-z, 0-9 and inner "-", found "Acme_Corp"'],
  ],
  [
    'schema',
    'a number as id',
    '',
    'deployment: { model: single_tenant, tenant_id: 42 }\nproxy: { isolation_level: none }',
    [
      'deployment.tenant_id: expected a tenant id: 1 to 63 of a-z, 0-9 and inner "-", found 42; that is a number, put it in quotes',
    ],
  ],
  [
    'program',
    'one tenant in multi_tenant',
    POOLS,
    'deployment: { tenant_id: acme }',
    ['deployment.tenant_id: expected nothing in multi_tenant: tenants are registered, or follow from rules'],
  ],
  [
    'program',
    'one tenant in hybrid',
    '',
    'deployment: { model: hybrid, tenant_id: acme }\nproxy_pools: { standard: { isolation_level: namespace }, premium: { isolation_level: session } }\ntenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: multi_tenant, pool: standard } }] }',
    ['deployment.tenant_id: expected nothing in hybrid: tenants are registered, or follow from rules'],
  ],
  [
    'program',
    'routing of namespaces in single_tenant',
    SINGLE,
    'namespace_routing: [{ namespace: a, pool: dedicated }]',
    ['namespace_routing: expected nothing in single_tenant: all namespaces belong to the one tenant'],
  ],
  [
    'program',
    'rules in multi_tenant',
    POOLS,
    'tenant_routing: { rules: [] }',
    ['tenant_routing: expected nothing in multi_tenant: rules choose between deployments in hybrid'],
  ],
  [
    'program',
    'a shared cluster for a single tenant',
    SINGLE,
    'cluster: { mode: shared }',
    ['cluster.mode: expected dedicated in single_tenant, found "shared"'],
  ],
  [
    'program',
    'two load balancers',
    POOLS,
    'cluster: { load_balancer: nginx }\nload_balancer: { type: haproxy, config_path: /etc/h.cfg, master_socket: /m }',
    ['cluster.load_balancer: expected haproxy as load_balancer.type says, found "nginx"'],
  ],
  [
    'program',
    'no pools',
    '',
    'deployment: { model: multi_tenant }',
    ['proxy_pools: expected one pool at least in multi_tenant, found none'],
  ],
  [
    'program',
    'a pool without an isolation level',
    '',
    'proxy_pools: { standard: { replicas: 1 } }',
    ['proxy_pools.standard.isolation_level: expected none, namespace or session, found nothing'],
  ],
  [
    'program',
    'a single tenant without an isolation level',
    '',
    'deployment: { model: single_tenant, tenant_id: acme }',
    ['proxy.isolation_level: expected none, namespace or session, found nothing'],
  ],
  [
    'schema',
    'an unknown isolation level',
    '',
    'proxy_pools: { premium: { isolation_level: shared } }',
    ['proxy_pools.premium.isolation_level: expected none, namespace or session, found "shared"'],
  ],
  [
    'schema',
    'an isolation level without a value',
    '',
    'proxy_pools: { premium: { isolation_level: } }',
    ['proxy_pools.premium.isolation_level: expected none, namespace or session, found nothing'],
  ],
  [
    'program',
    'two isolation levels for everything',
    '',
    'isolation_level: none\nproxy: { isolation_level: session }\nproxy_pools: { standard: {} }',
    ['proxy.isolation_level: expected none as isolation_level of the file says, found "session"'],
  ],
  [
    'schema',
    'an invalid pool name',
    '',
    'proxy_pools: { standard: { isolation_level: none }, "Gold!": { isolation_level: none } }',
    ['proxy_pools["Gold!"]: expected the name of a pool: 1 to 63 of a-z, 0-9 and inner "-" as the key'],
  ],
  [
    'schema',
    'a pool that is a list',
    '',
    'proxy_pools: { standard: [] }',
    ['proxy_pools.standard: expected an object, found a list'],
  ],
  [
    'schema',
    'replicas that are a fraction',
    '',
    'proxy_pools: { standard: { isolation_level: none, replicas: 1.5 } }',
    ['proxy_pools.standard.replicas: expected an integer from 0 to 10000, found 1.5'],
  ],
  [
    'schema',
    'less than no replicas',
    POOLS,
    'proxy: { replicas: -1 }',
    ['proxy.replicas: expected an integer from 0 to 10000, found -1'],
  ],
  [
    'schema',
    'memory in an unknown unit',
    POOLS,
    'proxy: { resources: { memory: 4Gib } }',
    [
      'proxy.resources.memory: expected an amount of memory such as "512Mi", "4Gi" or "4G", from 1Mi to 64Ti, found "4Gib"',
    ],
  ],
  [
    'program',
    'memory in bytes by mistake',
    POOLS,
    'proxy: { resources: { memory: 8 } }',
    [
      'proxy.resources.memory: expected an amount of memory such as "512Mi", "4Gi" or "4G", from 1Mi to 64Ti, found 8; a number alone counts bytes',
    ],
  ],
  [
    'program',
    'more cores than there are',
    POOLS,
    'proxy: { resources: { cpu: "2000" } }',
    ['proxy.resources.cpu: expected cores, such as "2", "0.5" or "500m", up to 1024, found "2000"'],
  ],
  [
    'schema',
    'a text as cores',
    POOLS,
    'proxy: { resources: { cpu: two } }',
    ['proxy.resources.cpu: expected cores, such as "2", "0.5" or "500m", up to 1024, found "two"'],
  ],
  [
    'program',
    'a default pool that does not exist',
    POOLS,
    'default_pool: standrd',
    ['default_pool: expected a pool of proxy_pools, found "standrd"; did you mean standard?'],
  ],
  [
    'program',
    'a default pool that is left open',
    SINGLE,
    'proxy_pools: { a: {}, b: {} }',
    ['default_pool: expected the name of a pool, as there are several, found nothing'],
  ],
  [
    'schema',
    'a time without a unit',
    POOLS,
    'drain_timeout: 30',
    ['drain_timeout: expected a duration such as 500ms, 30s or 5m, from 0s to 1d, found 30; its unit is missing'],
  ],
  [
    'schema',
    'a time in another unit',
    POOLS,
    'drain_timeout: 30sec',
    ['drain_timeout: expected a duration such as 500ms, 30s or 5m, from 0s to 1d, found "30sec"'],
  ],
  [
    'schema',
    'an unknown backend',
    POOLS,
    'backends: { postgresql: { endpoint: "h:1" } }',
    ['backends.postgresql: unknown key, did you mean postgres?'],
  ],
  [
    'schema',
    'a backend without an address',
    POOLS,
    'backends: { redis: {} }',
    ['backends.redis.endpoint: expected host:port, port 1 to 65535; an IPv6 address in brackets, found nothing'],
  ],
  [
    'schema',
    'an address without a port',
    POOLS,
    'backends: { redis: { endpoint: redis } }',
    ['backends.redis.endpoint: expected host:port, port 1 to 65535; an IPv6 address in brackets, found "redis"'],
  ],
  [
    'program',
    'port 0',
    POOLS,
    'backends: { redis: { endpoint: "redis:0" } }',
    ['backends.redis.endpoint: expected host:port, port 1 to 65535; an IPv6 address in brackets, found "redis:0"'],
  ],
  [
    'program',
    'shared backends for a single tenant',
    SINGLE,
    'backends: { redis: { endpoint: "h:1", isolation: { type: keyspace_prefix } } }',
    ['backends.redis.isolation.type: expected physical in single_tenant, found "keyspace_prefix"'],
  ],
  [
    'program',
    'physical isolation of shared backends',
    POOLS,
    'backends: { redis: { endpoint: "h:1", isolation: physical } }',
    ['backends.redis.isolation.type: expected keyspace_prefix in multi_tenant, found "physical"'],
  ],
  [
    'schema',
    'the isolation of another backend',
    POOLS,
    'backends: { nats: { endpoint: "h:1", isolation: { type: topic_prefix } } }',
    ['backends.nats.isolation.type: expected physical or subject_hierarchy, found "topic_prefix"'],
  ],
  [
    'schema',
    'isolation without a type',
    POOLS,
    'backends: { nats: { endpoint: "h:1", isolation: {} } }',
    ['backends.nats.isolation.type: expected physical or subject_hierarchy, found nothing'],
  ],
  [
    'schema',
    'a format without the tenant',
    POOLS,
    'backends: { redis: { endpoint: "h:1", isolation: { type: keyspace_prefix, format: "t:{key}" } } }',
    [
      'backends.redis.isolation.format: expected a format such as "tenant:{tenant_id}:{key}", found "t:{key}"; expected {tenant_id} once',
    ],
  ],
  [
    'program',
    'a format with the tenant twice',
    POOLS,
    'backends: { redis: { endpoint: "h:1", isolation: { type: keyspace_prefix, format: "{tenant_id}:{tenant_id}:{key}" } } }',
    [
      'backends.redis.isolation.format: expected a format such as "tenant:{tenant_id}:{key}", found "{tenant_id}:{tenant_id}:{key}"; expected {tenant_id} once',
    ],
  ],
  [
    'program',
    'a format with the tenant after the key',
    POOLS,
    'backends: { redis: { endpoint: "h:1", isolation: { type: keyspace_prefix, format: "{key}:{tenant_id}" } } }',
    [
      'backends.redis.isolation.format: expected a format such as "tenant:{tenant_id}:{key}", found "{key}:{tenant_id}"; expected {key} at its end, and no other variable than {namespace} between',
    ],
  ],
  [
    'program',
    'a format without a delimiter',
    POOLS,
    'backends: { redis: { endpoint: "h:1", isolation: { type: keyspace_prefix, format: "{tenant_id}{key}" } } }',
    [
      'backends.redis.isolation.format: expected a format such as "tenant:{tenant_id}:{key}", found "{tenant_id}{key}"; expected : . / | or _ after {tenant_id} and {namespace}, which no id contains',
    ],
  ],
  [
    'program',
    'a delimiter that ids have',
    POOLS,
    'backends: { kafka: { endpoint: "h:1", isolation: { type: topic_prefix, format: "{tenant_id}-{topic}" } } }',
    [
      'backends.kafka.isolation.format: expected a format such as "{tenant_id}.{topic}", found "{tenant_id}-{topic}"; expected . or _ after {tenant_id} and {namespace}, which no id contains',
    ],
  ],
  [
    'program',
    'the variable of another backend',
    POOLS,
    'backends: { kafka: { endpoint: "h:1", isolation: { type: topic_prefix, format: "{tenant_id}.{key}" } } }',
    [
      'backends.kafka.isolation.format: expected a format such as "{tenant_id}.{topic}", found "{tenant_id}.{key}"; expected {topic} at its end, and no other variable than {namespace} between',
    ],
  ],
  [
    'program',
    'a wildcard in a subject',
    POOLS,
    'backends: { nats: { endpoint: "h:1", isolation: { type: subject_hierarchy, format: "*.{tenant_id}.{subject}" } } }',
    [
      'backends.nats.isolation.format: expected a format such as "tenant.{tenant_id}.{subject}", found "*.{tenant_id}.{subject}"; the backend would not accept such names',
    ],
  ],
  [
    'program',
    'a token that is not whole',
    POOLS,
    'backends: { nats: { endpoint: "h:1", isolation: { type: subject_hierarchy, format: "t-{tenant_id}.{subject}" } } }',
    [
      'backends.nats.isolation.format: expected a format such as "tenant.{tenant_id}.{subject}", found "t-{tenant_id}.{subject}"; the backend would not accept such names',
    ],
  ],
  [
    'schema',
    'a format of rows',
    POOLS,
    'backends: { postgres: { endpoint: "h:1", isolation: { type: row_level_security, format: "{tenant_id}" } } }',
    [
      'backends.postgres.isolation.format: unknown key; it belongs to backends.redis.isolation, backends.nats.isolation, backends.kafka.isolation',
    ],
  ],
  [
    'program',
    'rows that nothing separates',
    POOLS,
    'backends: { postgres: { endpoint: "h:1", isolation: { type: row_level_security, enable_rls: false } } }',
    ['backends.postgres.isolation.enable_rls: expected true, as nothing else separates the rows of tenants'],
  ],
  [
    'schema',
    'an invalid column',
    POOLS,
    'backends: { postgres: { endpoint: "h:1", isolation: { type: row_level_security, tenant_column: "id; drop table" } } }',
    [
      'backends.postgres.isolation.tenant_column: expected a plain SQL identifier: a-z or "_", then up to 62 of a-z, 0-9 and "_", found "id; drop table"',
    ],
  ],
  [
    'schema',
    'a column of keys',
    POOLS,
    'backends: { redis: { endpoint: "h:1", isolation: { type: keyspace_prefix, tenant_column: id } } }',
    ['backends.redis.isolation.tenant_column: unknown key; it belongs to backends.postgres.isolation'],
  ],
  [
    'schema',
    'an unknown mode of TLS',
    POOLS,
    'backends: { postgres: { endpoint: "h:1", ssl_mode: prefer } }',
    ['backends.postgres.ssl_mode: expected disable, require, verify-ca or verify-full, found "prefer"'],
  ],
  [
    'program',
    'a client certificate without TLS',
    POOLS,
    'backends: { postgres: { endpoint: "h:1", ssl_mode: disable, client_cert_auth: true } }',
    ['backends.postgres.client_cert_auth: expected false with ssl_mode disable: certificates need TLS'],
  ],
  [
    'schema',
    'tables of a key-value store',
    POOLS,
    'backends: { redis: { endpoint: "h:1", provisioning: { tenant_secret_file: /s, admin_url_file: /f, tables: [a.b] } } }',
    ['backends.redis.provisioning.tables: unknown key; it belongs to backends.postgres.provisioning'],
  ],
  [
    'schema',
    'provisioning without a secret',
    POOLS,
    'backends: { redis: { endpoint: "h:1", provisioning: { admin_url_file: /f } } }',
    [
      'backends.redis.provisioning.tenant_secret_file: expected an absolute path of a file that holds the secret, found nothing',
    ],
  ],
  [
    'schema',
    'provisioning without what its backend needs',
    POOLS,
    'backends: { redis: { endpoint: "h:1", provisioning: { tenant_secret_file: /s } }, nats: { endpoint: "h:1", provisioning: { tenant_secret_file: /s } } }',
    [
      'backends.redis.provisioning.admin_url_file: expected an absolute path of a file that holds the secret, found nothing',
      'backends.nats.provisioning.file: expected an absolute path of a file, without "." and ".." in it, found nothing',
      'backends.nats.provisioning.reload_command: expected a program with its arguments, as a list of texts or as one line without shell syntax, found nothing; the program is a name to be found in PATH, or an absolute path',
    ],
  ],
  [
    'schema',
    'provisioning with what another backend needs',
    POOLS,
    'backends: { kafka: { endpoint: "h:1", provisioning: { tenant_secret_file: /s, admin_url_file: /f, save_acl_file: true, file: /u, monitor_url: "http://h" } } }',
    [
      'backends.kafka.provisioning.save_acl_file: unknown key; it belongs to backends.redis.provisioning',
      'backends.kafka.provisioning.file: unknown key; it belongs to backends.nats.provisioning',
      'backends.kafka.provisioning.monitor_url: unknown key; it belongs to backends.nats.provisioning',
    ],
  ],
  [
    'schema',
    'a monitor that speaks no HTTP',
    POOLS,
    'backends: { nats: { endpoint: "h:1", provisioning: { tenant_secret_file: /s, file: /u, reload_command: r, monitor_url: "grpc://h" } } }',
    ['backends.nats.provisioning.monitor_url: expected a URL of http or https without credentials, found "grpc://h"'],
  ],
  [
    'schema',
    'a table without a schema',
    POOLS,
    'backends: { postgres: { endpoint: "h:1", provisioning: { tenant_secret_file: /s, admin_url_file: /f, tables: [orders] } } }',
    [
      'backends.postgres.provisioning.tables[0]: expected a table as schema.table, both plain SQL identifiers, found "orders"',
    ],
  ],
  [
    'schema',
    'a secret in place of its file',
    POOLS,
    'backends: { postgres: { endpoint: "h:1", provisioning: { tenant_secret_file: /s, admin_url_file: "postgres://root:hunter2@h/db" } } }',
    [
      'backends.postgres.provisioning.admin_url_file: expected an absolute path of a file that holds the secret; what was found is not shown, as it may be a secret',
    ],
  ],
  [
    'program',
    'a route to a pool that does not exist',
    POOLS,
    'namespace_routing: [{ namespace: a, pool: premum }]',
    ['namespace_routing[0].pool: expected a pool of proxy_pools, found "premum"; did you mean premium?'],
  ],
  [
    'schema',
    'a route without a pool',
    POOLS,
    'namespace_routing: [{ namespace: a }]',
    ['namespace_routing[0].pool: expected the name of a pool: 1 to 63 of a-z, 0-9 and inner "-", found nothing'],
  ],
  [
    'schema',
    'a route that is a text',
    POOLS,
    'namespace_routing: [acme]',
    ['namespace_routing[0]: expected an object, found "acme"'],
  ],
  [
    'schema',
    'a pattern that matches nothing',
    POOLS,
    'namespace_routing: [{ namespace: "Acme_*", pool: standard }]',
    [
      'namespace_routing[0].namespace: expected a namespace or pattern: 1 to 63 of a-z, 0-9, inner "-", "*" for any characters and "?" for one, found "Acme_*"',
    ],
  ],
  [
    'schema',
    'a weight of 0',
    POOLS,
    'namespace_routing: [{ namespace: a, pool: standard, weight: 0 }]',
    ['namespace_routing[0].weight: expected an integer from 1 to 1000, found 0'],
  ],
  [
    'schema',
    'a weight above 1000',
    POOLS,
    'namespace_routing: [{ namespace: a, pool: standard, weight: 1001 }]',
    ['namespace_routing[0].weight: expected an integer from 1 to 1000, found 1001'],
  ],
  [
    'schema',
    'an unknown key of a route',
    POOLS,
    'namespace_routing: [{ namespace: a, pool: standard, wieght: 1 }]',
    ['namespace_routing[0].wieght: unknown key, did you mean weight?'],
  ],
  [
    'program',
    'one pool twice for a pattern',
    POOLS,
    'namespace_routing: [{ namespace: "a*", pool: standard }, { namespace: "a**", pool: standard, weight: 2 }]',
    ['namespace_routing[1].pool: expected another pool: namespace_routing[0] sends "a*" to standard already'],
  ],
  [
    'schema',
    'an unknown tier',
    HYBRID,
    'tenant_routing: { rules: [{ match: { tier: gold }, action: { deployment: multi_tenant, pool: standard } }] }',
    ['tenant_routing.rules[0].match.tier: expected enterprise, premium or standard, found "gold"'],
  ],
  [
    'schema',
    'revenue as a number',
    HYBRID,
    'tenant_routing: { rules: [{ match: { annual_revenue: 100000 }, action: { deployment: multi_tenant, pool: standard } }] }',
    [
      'tenant_routing.rules[0].match.annual_revenue: expected an operator (>, >=, <, <= or ==) and a number, such as ">100000", found 100000',
    ],
  ],
  [
    'schema',
    'revenue with an unknown operator',
    HYBRID,
    'tenant_routing: { rules: [{ match: { annual_revenue: "=>5" }, action: { deployment: multi_tenant, pool: standard } }] }',
    [
      'tenant_routing.rules[0].match.annual_revenue: expected an operator (>, >=, <, <= or ==) and a number, such as ">100000", found "=>5"',
    ],
  ],
  [
    'schema',
    'a contract that is no tenant',
    HYBRID,
    'tenant_routing: { rules: [{ match: { contracts: [acme, "*"] }, action: { deployment: multi_tenant, pool: standard } }] }',
    ['tenant_routing.rules[0].match.contracts[1]: expected a tenant id: 1 to 63 of a-z, 0-9 and inner "-", found "*"'],
  ],
  [
    'schema',
    'a rule without an action',
    HYBRID,
    'tenant_routing: { rules: [{ match: {} }] }',
    ['tenant_routing.rules[0].action: expected an object, found nothing'],
  ],
  [
    'schema',
    'a rule that is nothing',
    HYBRID,
    'tenant_routing: { rules: [null] }',
    ['tenant_routing.rules[0]: expected an object, found nothing'],
  ],
  [
    'schema',
    'a rule for an unknown deployment',
    HYBRID,
    'tenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: hybrid } }] }',
    ['tenant_routing.rules[0].action.deployment: expected single_tenant or multi_tenant, found "hybrid"'],
  ],
  [
    'program',
    'a rule to a pool that does not exist',
    HYBRID,
    'tenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: single_tenant, pool: dedicated } }] }',
    ['tenant_routing.rules[0].action.pool: expected a pool of proxy_pools, found "dedicated"'],
  ],
  [
    'program',
    'a promise of proxies of its own that no pool keeps',
    HYBRID,
    'tenant_routing: { rules: [{ match: { contracts: [standard, acme] }, action: { deployment: single_tenant } }] }',
    [
      'tenant_routing.rules[0].action.pool: expected the name of a pool, as there is no pool "dedicated" and none named after each tenant of match.contracts',
    ],
  ],
  [
    'program',
    'a limit of another level in a rule',
    HYBRID,
    'tenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: multi_tenant, pool: standard, connection_pools: { redis: { per_session_limit: 1 } } } }] }',
    [
      'tenant_routing.rules[0].action.connection_pools.redis.per_session_limit: expected only at isolation_level session; the tenants of the rule have namespace',
    ],
  ],
  [
    'program',
    'a level of a rule that the pool does not offer',
    'deployment: { model: hybrid }\nproxy_pools: { standard: { isolation_level: namespace, isolation_levels: [none, namespace] } }\n',
    'tenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: multi_tenant, pool: standard, isolation_level: session } }] }',
    [
      'tenant_routing.rules[0].action.isolation_level: expected none or namespace, as the pool standard offers, found "session"',
    ],
  ],
  [
    'program',
    'a level of a pool that it does not offer',
    'deployment: { model: hybrid }\n',
    'proxy_pools: { standard: { isolation_level: namespace, isolation_levels: [session] } }',
    ['proxy_pools.standard.isolation_levels: expected a list with namespace, the level of the pool, found a list'],
  ],
  [
    'program',
    'a rule with more cores for a namespace than a proxy has',
    HYBRID,
    'tenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: multi_tenant, pool: standard, resource_limits: { cpu: 3 } } }] }\nusage: { cpu: true }',
    ['tenant_routing.rules[0].action.resource_limits.cpu: expected at most 2, the cores of a proxy, found 3'],
  ],
  [
    'program',
    'a rule with a limit of CPU time that nobody measures',
    HYBRID,
    'tenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: multi_tenant, pool: standard, resource_limits: { cpu: 500m } } }] }',
    [
      'tenant_routing.rules[0].action.resource_limits.cpu: expected none, as proxies measure CPU time only when usage.cpu is true in the configuration file, found "500m"',
    ],
  ],
  [
    'program',
    'a rule with more memory for a namespace than a proxy has',
    HYBRID,
    'tenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: multi_tenant, pool: standard, resource_limits: { memory: 8Gi } } }] }',
    ['tenant_routing.rules[0].action.resource_limits.memory: expected at most 4Gi, the memory of a proxy, found "8Gi"'],
  ],
  [
    'schema',
    'a rule that lets no request through',
    HYBRID,
    'tenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: multi_tenant, pool: standard, resource_limits: { max_rps: 0 } } }] }',
    [
      'tenant_routing.rules[0].action.resource_limits.max_rps: expected an integer from 1 to 1000000 (requests per second), found 0',
    ],
  ],
  [
    'schema',
    'a limit of a rule that there is not',
    HYBRID,
    'tenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: multi_tenant, pool: standard, resource_limits: { rps: 5 } } }] }',
    ['tenant_routing.rules[0].action.resource_limits.rps: unknown key'],
  ],
  [
    'program',
    'a cap of a rule, which only pools have',
    HYBRID,
    'tenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: multi_tenant, pool: standard, connection_pools: { redis: { max_total_connections: 20 } } } }] }\nconnection_pools: { redis: { max_total_connections: 10 } }',
    [
      'tenant_routing.rules[0].action.connection_pools.redis.max_total_connections: expected 10: the cap is of the pool, no tenant has one of its own, found 20',
    ],
  ],
  [
    'program',
    'a limit of a rule above the hard limit',
    HYBRID,
    'tenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: multi_tenant, pool: standard, connection_pools: { redis: { connections_per_namespace: 20 } } } }] }\nconnection_pools: { redis: { connections_per_namespace: 1, max_total_connections: 10 } }',
    [
      'tenant_routing.rules[0].action.connection_pools.redis.connections_per_namespace: expected at most max_total_connections (10), found 20',
    ],
  ],
  [
    'schema',
    'a listener without a port',
    POOLS,
    'control_plane: { listen_addr: 0.0.0.0 }',
    ['control_plane.listen_addr: expected host:port, port 1 to 65535; an IPv6 address in brackets, found "0.0.0.0"'],
  ],
  [
    'program',
    'an invalid port',
    POOLS,
    'prism_bridge: { listen_addr: "0.0.0.0:89800" }',
    [
      'prism_bridge.listen_addr: expected host:port, port 1 to 65535; an IPv6 address in brackets, found "0.0.0.0:89800"',
    ],
  ],
  [
    'schema',
    'an unknown load balancer',
    POOLS,
    'load_balancer: { type: traefik, config_path: /etc/t }',
    ['load_balancer.type: expected haproxy, nginx or envoy, found "traefik"'],
  ],
  [
    'schema',
    'a relative path',
    POOLS,
    'load_balancer: { type: nginx, config_path: etc/nginx.conf }',
    [
      'load_balancer.config_path: expected an absolute path of a file, without "." and ".." in it, found "etc/nginx.conf"',
    ],
  ],
  [
    'program',
    'a path that climbs',
    POOLS,
    'load_balancer: { type: nginx, config_path: /etc/../root/x }',
    [
      'load_balancer.config_path: expected an absolute path of a file, without "." and ".." in it, found "/etc/../root/x"',
    ],
  ],
  [
    'program',
    'a pipe in the reload command',
    POOLS,
    'load_balancer: { type: haproxy, config_path: /etc/h.cfg, reload_command: "cat x | sh" }',
    [
      'load_balancer.reload_command: expected a program with its arguments, as a list of texts or as one line without shell syntax, found "cat x | sh"; no shell runs it, so | would mean nothing; quote it, or name a script',
    ],
  ],
  [
    'program',
    'a second command',
    POOLS,
    'load_balancer: { type: haproxy, config_path: /etc/h.cfg, reload_command: "true; reboot" }',
    [
      'load_balancer.reload_command: expected a program with its arguments, as a list of texts or as one line without shell syntax, found "true; reboot"; no shell runs it, so ; would mean nothing; quote it, or name a script',
    ],
  ],
  [
    'program',
    'a substitution in quotes',
    POOLS,
    'load_balancer: { type: haproxy, config_path: /etc/h.cfg, reload_command: \'kill "$(cat /run/h.pid)"\' }',
    [
      'load_balancer.reload_command: expected a program with its arguments, as a list of texts or as one line without shell syntax, found "kill \\"$(cat /run/h.pid)\\""; no shell runs it, so $ would mean nothing; quote it, or name a script',
    ],
  ],
  [
    'program',
    'a quote without an end',
    POOLS,
    'load_balancer: { type: haproxy, config_path: /etc/h.cfg, reload_command: "reload \'now" }',
    [
      'load_balancer.reload_command: expected a program with its arguments, as a list of texts or as one line without shell syntax, found "reload \'now"; a quote or backslash has no end',
    ],
  ],
  [
    'schema',
    'an empty command',
    POOLS,
    'load_balancer: { type: haproxy, config_path: /etc/h.cfg, reload_command: [] }',
    [
      'load_balancer.reload_command: expected a program with its arguments, as a list of texts or as one line without shell syntax, found a list; the program is a name to be found in PATH, or an absolute path',
    ],
  ],
  [
    'schema',
    'a command that is a number',
    POOLS,
    'load_balancer: { type: haproxy, config_path: /etc/h.cfg, reload_command: [1] }',
    [
      'load_balancer.reload_command: expected a program with its arguments, as a list of texts or as one line without shell syntax, found a list; the program is a name to be found in PATH, or an absolute path',
    ],
  ],
  [
    'program',
    'an assignment in place of a program',
    POOLS,
    'load_balancer: { type: haproxy, config_path: /etc/h.cfg, reload_command: "A=1 reload" }',
    [
      'load_balancer.reload_command: expected a program with its arguments, as a list of texts or as one line without shell syntax, found "A=1 reload"; the program is a name to be found in PATH, or an absolute path',
    ],
  ],
  [
    'program',
    'haproxy that nobody reloads',
    POOLS,
    'load_balancer: { type: haproxy, config_path: /etc/h.cfg }',
    ['load_balancer: expected master_socket or reload_command, as haproxy has to be told to reload'],
  ],
  [
    'program',
    'a socket of another load balancer',
    POOLS,
    'load_balancer: { type: envoy, config_path: /etc/e, runtime_socket: /s }',
    ['load_balancer.runtime_socket: expected nothing with envoy: only haproxy has such a socket'],
  ],
  [
    'program',
    'a header that means something else',
    POOLS,
    'load_balancer: { type: haproxy, config_path: /etc/h.cfg, master_socket: /m, namespace_header: Authorization }',
    [
      'load_balancer.namespace_header: expected the name of an HTTP header of its own: 1 to 64 letters, digits and "-", found "Authorization"',
    ],
  ],
  [
    'schema',
    'a header with a line break',
    POOLS,
    'load_balancer: { type: haproxy, config_path: /etc/h.cfg, master_socket: /m, namespace_header: "a\\r\\nb" }',
    [
      'load_balancer.namespace_header: expected the name of an HTTP header of its own: 1 to 64 letters, digits and "-", found "a\\r\\nb"',
    ],
  ],
  [
    'schema',
    'an unknown kind of discovery',
    POOLS,
    'service_discovery: { type: consul }',
    ['service_discovery.type: expected static, dns_srv or kubernetes, found "consul"'],
  ],
  [
    'schema',
    'discovery in Kubernetes without a selector',
    POOLS,
    'service_discovery: { type: kubernetes }',
    [
      'service_discovery.label_selector: expected a label selector of Kubernetes, such as "app=proxy,tier in (a, b)", found nothing',
    ],
  ],
  [
    'program',
    'an invalid selector',
    POOLS,
    'service_discovery: { type: kubernetes, label_selector: "app in" }',
    [
      'service_discovery.label_selector: expected a label selector of Kubernetes, such as "app=proxy,tier in (a, b)", found "app in"',
    ],
  ],
  [
    'schema',
    'a key of another kind of discovery',
    POOLS,
    'service_discovery: { type: static, proxies: [], label_selector: app=proxy }',
    ['service_discovery.label_selector: unknown key; it belongs to another type'],
  ],
  [
    'program',
    'a discovered proxy of no pool',
    POOLS,
    'service_discovery: { type: static, proxies: [{ pool: gold, endpoint: "h:1" }] }',
    ['service_discovery.proxies[0].pool: expected a pool of proxy_pools, found "gold"'],
  ],
  [
    'program',
    'a proxy twice',
    POOLS,
    'service_discovery: { type: static, proxies: [{ pool: standard, endpoint: "h:1" }, { pool: premium, endpoint: "h:1" }] }',
    ['service_discovery.proxies[1].endpoint: expected another address than that of proxies[0], found "h:1"'],
  ],
  [
    'program',
    'a service of no pool',
    POOLS,
    'service_discovery: { type: dns_srv, services: { gold: _http._tcp.example.com } }',
    ['service_discovery.services.gold: expected a pool of proxy_pools, found "gold"'],
  ],
  [
    'schema',
    'a service that is no name',
    POOLS,
    'service_discovery: { type: dns_srv, services: { standard: "a b" } }',
    ['service_discovery.services.standard: expected a DNS name such as proxies.example.com, found "a b"'],
  ],
  [
    'schema',
    'a TSIG key in place of its file',
    POOLS,
    'dns: { server: "h:53", zone: example.com, key_name: k, key_secret_file: c2VjcmV0LXNlY3JldA== }',
    [
      'dns.key_secret_file: expected an absolute path of a file that holds the secret; what was found is not shown, as it may be a secret',
    ],
  ],
  [
    'schema',
    'an algorithm that is broken',
    POOLS,
    'dns: { server: "h:53", zone: example.com, key_name: k, key_algorithm: hmac-md5, key_secret_file: /k }',
    ['dns.key_algorithm: expected hmac-sha256, hmac-sha384 or hmac-sha512, found "hmac-md5"'],
  ],
  [
    'program',
    'a part of a second',
    POOLS,
    'dns: { server: "h:53", zone: example.com, key_name: k, key_secret_file: /k, ttl: 1500ms }',
    ['dns.ttl: expected a duration of whole seconds such as 30s or 5m, from 1s to 1d, found "1500ms"'],
  ],
  [
    'program',
    'a check that outlasts the interval',
    POOLS,
    'health_checks: { interval: 1s, timeout: 2s }',
    ['health_checks.timeout: expected at most the interval (1s), found "2s"'],
  ],
  [
    'program',
    'proxies forgotten before they are unhealthy',
    POOLS,
    'health_checks: { heartbeat_timeout: 60s, forget_after: 30s }',
    ['health_checks.forget_after: expected more than heartbeat_timeout (1m), found "30s"'],
  ],
  [
    'schema',
    'a threshold above 100 percent',
    POOLS,
    'health_checks: { panic_threshold: 101 }',
    ['health_checks.panic_threshold: expected an integer from 0 to 100 (percent), found 101'],
  ],
  [
    'schema',
    'a path of a request without a slash',
    POOLS,
    'health_checks: { path: health }',
    ['health_checks.path: expected the path of a request, such as /health/ready, found "health"'],
  ],
  [
    'program',
    'more per namespace than in all',
    POOLS,
    'connection_pools: { redis: { connections_per_namespace: 20, max_total_connections: 10 } }',
    ['connection_pools.redis.connections_per_namespace: expected at most the cap (10), found 20'],
  ],
  [
    'program',
    'reservations that do not fit',
    POOLS,
    'connection_pools: { redis: { connections_per_namespace: 9, max_total_connections: 10, namespaces: { a: { reserved_connections: 6 }, b: { reserved_connections: 5 } } } }',
    ['connection_pools.redis.namespaces: expected reservations of at most the cap (10) together, found 11'],
  ],
  [
    'program',
    'a missing hard limit',
    POOLS,
    'connection_pools: { redis: { connections_per_namespace: 20 } }',
    ['connection_pools.redis.max_total_connections: expected an integer from 1 to 1000000, found nothing'],
  ],
  [
    'program',
    'more per session than in all',
    POOLS,
    'connection_pools: { redis: { max_connections: 1, per_session_limit: 2 } }\nsession_management: { max_sessions: 1 }',
    ['connection_pools.redis.per_session_limit: expected at most the cap (1), found 2'],
  ],
  [
    'program',
    'two hard limits that contradict each other',
    POOLS,
    'connection_pools: { redis: { max_total_connections: 5, max_connections: 6 } }',
    ['connection_pools.redis.max_connections: expected the same as max_total_connections (5), found 6'],
  ],
  [
    'program',
    'pools for namespaces where no pool of proxies has them',
    '',
    'proxy_pools: { standard: { isolation_level: none } }\nconnection_pools: { per_namespace: true }',
    ['connection_pools.per_namespace: expected false, as the levels of the pools say, found true'],
  ],
  [
    'program',
    'shared pools that are not shared',
    '',
    'proxy_pools: { standard: { isolation_level: none } }\nconnection_pools: { redis: { max_connections: 5, shared: false } }',
    ['connection_pools.redis.shared: expected true, as the levels of the pools say, found false'],
  ],
  [
    'program',
    'pools that are not per namespace',
    '',
    'proxy_pools: { standard: { isolation_level: namespace } }\nconnection_pools: { per_namespace: false }',
    ['connection_pools.per_namespace: expected true, as the levels of the pools say, found false'],
  ],
  [
    'program',
    'connections that are used again',
    POOLS,
    'session_management: { max_sessions: 1, connection_reuse: true }',
    ['session_management.connection_reuse: expected false, as the connections of a session are never used again'],
  ],
  [
    'schema',
    'a timeout without a unit',
    POOLS,
    'session_management: { max_sessions: 1, session_timeout: 300 }',
    [
      'session_management.session_timeout: expected a duration such as 500ms, 30s or 5m, from 100ms to 24d, found 300; its unit is missing',
    ],
  ],
  [
    'schema',
    'an invalid namespace',
    POOLS,
    'connection_pools: { redis: { connections_per_namespace: 1, max_total_connections: 1, max_connections: 1, namespaces: { "a*": {} } } }\nsession_management: { max_sessions: 1 }',
    [
      'connection_pools.redis.namespaces["a*"]: expected a namespace: 1 to 63 of a-z, 0-9 and inner "-"; or "*" for all that share as the key',
    ],
  ],
  [
    'program',
    'events that are mandatory but not written',
    '',
    'proxy_pools: { premium: { isolation_level: session } }\nsession_management: { max_sessions: 1 }\naudit: { mandatory: true }',
    ['audit.mandatory: expected log_session_lifecycle or log_actions to be true as well'],
  ],
  ...[
    ['.nan', 'NaN'],
    ['.inf', 'Infinity'],
    ['-.inf', '-Infinity'],
    ['1e400', '"1e400"'],
  ].flatMap(([written, found]): (typeof MISTAKES)[number][] => [
    [
      'schema',
      `requests per second of a rule that are ${written}`,
      HYBRID,
      `tenant_routing: { rules: [{ match: { tier: premium }, action: { deployment: multi_tenant, pool: standard, resource_limits: { max_rps: ${written} } } }] }`,
      [
        `tenant_routing.rules[0].action.resource_limits.max_rps: expected an integer from 1 to 1000000 (requests per second), found ${found}`,
      ],
    ],
  ]),
  [
    'program',
    'a tenant that the pool which it leaves serves too briefly',
    POOLS,
    'drain_timeout: 1s\nload_balancer: { type: nginx, config_path: /etc/n.conf, policy_wait: 1500ms }',
    [
      'drain_timeout: expected at least load_balancer.policy_wait (1500ms), for which a tenant that moves is still sent to the pool that it leaves, which would answer 421, found "1s"',
    ],
  ],
  [
    'schema',
    'requests per second below 1',
    POOLS,
    'resource_limits: { per_namespace: { max_rps: 0 } }',
    ['resource_limits.per_namespace.max_rps: expected an integer from 1 to 1000000 (requests per second), found 0'],
  ],
  [
    'program',
    'credentials in an address',
    POOLS,
    'observability: { metrics_endpoint: "https://me:hunter2@metrics" }',
    [
      'observability.metrics_endpoint: expected host:port, or a URL of http, https or grpc without credentials, found "https://[redacted]@metrics"',
    ],
  ],
  [
    'schema',
    'a label that belongs to Prometheus',
    POOLS,
    'observability: { tenant_label: __name__ }',
    [
      'observability.tenant_label: expected a label of metrics: a letter or "_", then up to 62 letters, digits and "_", not "__" first, found "__name__"',
    ],
  ],
  [
    'program',
    'a rule with shared connections against a framework',
    HYBRID,
    'tenant_routing: { rules: [{ match: { tier: standard }, action: { deployment: multi_tenant, pool: standard, isolation_level: none } }] }\ncompliance: { frameworks: [SOC 2], audit_retention_days: 400, pii_encryption: true }\naudit_backend: s3://audit',
    [
      'tenant_routing.rules[0].action.isolation_level: expected namespace or session, as SOC2 does not let tenants share connections, found "none"',
    ],
  ],
  [
    'program',
    'shared connections against a framework',
    '',
    'proxy_pools: { standard: { isolation_level: none } }\ncompliance: { frameworks: [SOC 2], audit_retention_days: 400, pii_encryption: true }\naudit_backend: s3://audit',
    [
      'proxy_pools.standard.isolation_level: expected namespace or session, as SOC2 does not let tenants share connections, found "none"',
    ],
  ],
  [
    'program',
    'a database without verified TLS against a framework',
    POOLS,
    'backends: { postgres: { endpoint: "h:1", ssl_mode: require } }\ncompliance: { frameworks: [gdpr], pii_encryption: true }',
    ['backends.postgres.ssl_mode: expected verify-ca or verify-full, as GDPR demands verified TLS, found "require"'],
  ],
  [
    'program',
    'records that are kept too briefly',
    POOLS,
    'compliance: { frameworks: [HIPAA], pii_encryption: true, audit_retention_days: 90 }\naudit_backend: file:///audit',
    ['compliance.audit_retention_days: expected at least 2190 days for HIPAA, found 90'],
  ],
  [
    'program',
    'no export against a framework',
    POOLS,
    'compliance: { frameworks: [PCI DSS], pii_encryption: true }',
    ['audit_backend: expected a location that the log is exported to, as PCI-DSS asks for it, found nothing'],
  ],
  [
    'program',
    'what one framework demands and another only asks for',
    POOLS,
    'compliance: { frameworks: [SOC2, PCI-DSS], pii_encryption: true }',
    ['audit_backend: expected a location that the log is exported to, as PCI-DSS asks for it, found nothing'],
  ],
  [
    'program',
    'no encryption against a framework',
    POOLS,
    'compliance: { frameworks: [pci_dss] }\naudit_backend: file:///audit',
    ['compliance.pii_encryption: expected true, as PCI-DSS asks for it, found false'],
  ],
  [
    'schema',
    'retention of no day',
    POOLS,
    'compliance: { audit_retention_days: 0 }',
    ['compliance.audit_retention_days: expected an integer from 1 to 36500 (days), found 0'],
  ],
  [
    'schema',
    'an export to a web server',
    POOLS,
    'audit_backend: https://example.com/audit',
    ['audit_backend: expected file:///<absolute path> or s3://<bucket>/<prefix>, found "https://example.com/audit"'],
  ],
  [
    'schema',
    'an export to a file without an absolute path',
    POOLS,
    'audit_backend: file://audit/x',
    ['audit_backend: expected file:///<absolute path> or s3://<bucket>/<prefix>, found "file://audit/x"'],
  ],
  [
    'program',
    'an export that climbs',
    POOLS,
    'audit_backend: file:///var/../etc/passwd',
    ['audit_backend: expected file:///<absolute path> or s3://<bucket>/<prefix>, found "file:///var/../etc/passwd"'],
  ],
  [
    'program',
    'an export to an invalid bucket',
    POOLS,
    'audit_backend: s3://My_Bucket/x',
    ['audit_backend: expected file:///<absolute path> or s3://<bucket>/<prefix>, found "s3://My_Bucket/x"'],
  ],
  [
    'program',
    'credentials of an export',
    POOLS,
    'audit_backend: s3://key:secret@bucket/x',
    ['audit_backend: expected file:///<absolute path> or s3://<bucket>/<prefix>, found "s3://[redacted]@bucket/x"'],
  ],
  [
    'schema',
    'a namespace that is empty',
    POOLS,
    'namespace_routing: [{ namespace: "", pool: standard }]',
    [
      'namespace_routing[0].namespace: expected a namespace or pattern: 1 to 63 of a-z, 0-9, inner "-", "*" for any characters and "?" for one, found ""',
    ],
  ],
  [
    'schema',
    'a namespace that is a number',
    POOLS,
    'namespace_routing: [{ namespace: 42, pool: standard }]',
    [
      'namespace_routing[0].namespace: expected a namespace or pattern: 1 to 63 of a-z, 0-9, inner "-", "*" for any characters and "?" for one, found 42; that is a number, put it in quotes',
    ],
  ],
  [
    'schema',
    'a namespace in other letters that look alike',
    POOLS,
    'namespace_routing: [{ namespace: "\u0430cme", pool: standard }]',
    [
      'namespace_routing[0].namespace: expected a namespace or pattern: 1 to 63 of a-z, 0-9, inner "-", "*" for any characters and "?" for one, found "\u0430cme"; "\u0430" is U+0430',
    ],
  ],
  [
    'schema',
    'a pool with a line break',
    POOLS,
    'default_pool: "standard\\r\\n"',
    ['default_pool: expected the name of a pool: 1 to 63 of a-z, 0-9 and inner "-", found "standard\\r\\n"'],
  ],
  [
    'schema',
    'a text of 300 characters',
    POOLS,
    `deployment: { control_plane: "${'x'.repeat(300)}" }`,
    [
      'deployment.control_plane: expected a text of 1 to 255 characters, found "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\u2026"',
    ],
  ],
  [
    'schema',
    'a boolean as text',
    POOLS,
    'backends: { redis: { endpoint: "h:1", client_cert_auth: "yes" } }',
    ['backends.redis.client_cert_auth: expected true or false, found "yes"'],
  ],
  ['yaml', 'tabs', '', 'proxy:\n	replicas: 1', ['not YAML: tab characters must not be used in indentation']],
  ['yaml', 'two documents', '', 'a: 1\n---\nb: 2', ['not YAML: expected one document, found another one']],
  [
    'yaml',
    'a tag of another language',
    POOLS,
    'drain_timeout: !!js/function x',
    ['drain_timeout: expected a value without the tag !!js/function'],
  ],
  [
    'yaml',
    'an alias of what contains it',
    POOLS,
    'proxy: &p { resources: *p }',
    ['proxy.resources: expected the alias of an anchor before it that does not contain it'],
  ],
  [
    'yaml',
    'an alias before its anchor',
    POOLS,
    'proxy: *p',
    ['proxy: expected the alias of an anchor before it that does not contain it'],
  ],
];

/** Without name and place. */
function problemsOf(text: string): readonly string[] {
  return readSettings(text, 'f').problems.map((problem) => problem.replace(/^f(:\d+:\d+|:) /, ''));
}

describe(readSettings.name, () => {
  it.each(MISTAKES)('[%s] rejects %s', (_seer, _what, base, more, problems) => {
    expect(problemsOf(base + more)).toEqual(problems);
  });

  it.each([
    POOLS,
    SINGLE,
    `${HYBRID}tenant_routing: { rules: [{ match: {}, action: { deployment: multi_tenant, pool: standard } }] }`,
  ])('accepts what the mistakes are made in: %j', (base) => {
    expect(problemsOf(base)).toEqual([]);
  });
});

describe(configurationSchema.name, () => {
  const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(configurationSchema());
  const inSchema = MISTAKES.filter(([seer]) => seer === 'schema');

  it.each(inSchema)('[%s] rejects %s', (_seer, _what, base, more) => {
    expect(validate(parse(base + more))).toBe(false);
  });

  it.each(MISTAKES.filter(([seer]) => seer === 'program'))(
    'leaves it to the [%s] to reject %s',
    (_seer, _what, base, more) => {
      expect(validate(parse(base + more))).toBe(true);
    },
  );
});
