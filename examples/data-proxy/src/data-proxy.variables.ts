import { InvalidIdentifierError, parseProviderId, unlessThrown, type ProviderId } from '@palisade/domain';
import {
  COMMON_VARIABLES,
  bearerToken,
  durationMs,
  flag,
  hostPort,
  integer,
  readableFile,
  text,
  url,
  variable,
  type Variables,
} from '@palisade/platform';

const { mode, dataDirectory, logLevel, shutdownDelayMs, shutdownGraceMs } = COMMON_VARIABLES;

/** Everything that the data proxy reads from its environment. */
export const DATA_PROXY_VARIABLES = {
  listen: hostPort('DATA_PROXY_LISTEN', {
    description: 'Address of the listener.',
    default: '127.0.0.1:8080',
  }),
  settingsFile: readableFile('DATA_PROXY_SETTINGS', {
    description: 'YAML or JSON file that says how tenants are kept apart.',
    default: 'examples/data-proxy/settings.yaml',
  }),
  auditFile: text('DATA_PROXY_AUDIT_FILE', {
    description: 'File that audit records are appended to, one JSON object a line.',
    computedDefault: 'audit.jsonl in the data directory',
  }),

  postgresUrl: url('DATA_PROXY_POSTGRES_URL', {
    description: 'PostgreSQL, as the role that tenants’ statements run as.',
    computedDefault: 'embedded, unless another backend is named',
    schemes: ['postgres:', 'postgresql:'],
    secret: true,
  }),
  redisUrl: url('DATA_PROXY_REDIS_URL', {
    description: 'Redis.',
    schemes: ['redis:', 'rediss:'],
    secret: true,
  }),
  natsUrl: url('DATA_PROXY_NATS_URL', {
    description: 'NATS; user and password may be in the URL.',
    schemes: ['nats:', 'tls:'],
    secret: true,
  }),
  kafkaBrokers: variable(
    'DATA_PROXY_KAFKA_BROKERS',
    { description: 'Kafka brokers.' },
    '1 to 32 of `host:port`, with commas between',
    parseBrokers,
  ),
  kafkaTls: flag('DATA_PROXY_KAFKA_TLS', {
    description: 'Whether to use TLS towards Kafka.',
    default: 'false',
  }),

  kafkaUser: text('DATA_PROXY_KAFKA_USER', {
    description: 'SCRAM user of Kafka, where namespaces have none of their own.',
  }),
  kafkaPassword: text('DATA_PROXY_KAFKA_PASSWORD', { description: 'Its password.', secret: true }),

  provision: flag('DATA_PROXY_PROVISION', {
    description: 'Whether to create tables, roles and users at the start.',
    default: 'false',
  }),
  postgresAdminUrl: url('DATA_PROXY_POSTGRES_ADMIN_URL', {
    description: 'The same, as a role that owns the tables; for provisioning.',
    schemes: ['postgres:', 'postgresql:'],
    secret: true,
  }),
  redisAdminUrl: url('DATA_PROXY_REDIS_ADMIN_URL', {
    description: 'The same, as a user who may create users; for provisioning.',
    schemes: ['redis:', 'rediss:'],
    secret: true,
  }),
  kafkaAdminBrokers: variable(
    'DATA_PROXY_KAFKA_ADMIN_BROKERS',
    { description: 'Brokers where users and topics may be created; for provisioning.' },
    '1 to 32 of `host:port`, with commas between',
    parseBrokers,
  ),
  kafkaTopics: variable(
    'DATA_PROXY_KAFKA_TOPICS',
    { description: 'Topics that provisioning makes for each namespace.', default: 'events' },
    'up to 100 names with commas between',
    parseNames,
  ),
  backendSecret: text('DATA_PROXY_BACKEND_SECRET', {
    description:
      'Secret from which the password of each namespace’s own user of Redis and Kafka is derived. Absent: no such users.',
    secret: true,
  }),

  apiKeysFile: readableFile('DATA_PROXY_API_KEYS', {
    description: 'YAML or JSON file with the API keys: the digest and namespace of each.',
  }),
  demoNamespaces: variable(
    'DATA_PROXY_DEMO_NAMESPACES',
    { description: 'Namespaces that get an API key in the data directory. For trying things out.' },
    'up to 10 names with commas between',
    (value) => parseNames(value, 10),
  ),
  jwtIssuer: url('DATA_PROXY_JWT_ISSUER', { description: 'Issuer of tokens.', schemes: ['https:', 'http:'] }),
  jwtAudience: text('DATA_PROXY_JWT_AUDIENCE', { description: 'Audience that tokens must name.' }),
  jwksUri: url('DATA_PROXY_JWKS_URI', { description: 'Keys of the issuer.', schemes: ['https:', 'http:'] }),
  tlsCertFile: readableFile('DATA_PROXY_TLS_CERT', { description: 'Certificate of the listener, PEM.' }),
  tlsKeyFile: readableFile('DATA_PROXY_TLS_KEY', { description: 'Its private key, PEM.' }),
  tlsClientCaFile: readableFile('DATA_PROXY_TLS_CLIENT_CA', { description: 'Authority of client certificates, PEM.' }),
  spiffeIds: variable(
    'DATA_PROXY_SPIFFE_IDS',
    { description: 'Patterns of SPIFFE IDs, such as `spiffe://example.com/ns/{namespace}/sa/{client}`.' },
    'up to 10 patterns with commas between',
    (value) => parseNames(value, 10),
  ),

  controlUrls: variable(
    'DATA_PROXY_CONTROL_URL',
    { description: 'Control plane that governs this proxy; several are replicas of one. Absent: it runs alone.' },
    'up to 10 URLs such as `https://control.example.com`, with commas between',
    parseUrls,
  ),
  controlToken: bearerToken('DATA_PROXY_CONTROL_TOKEN', {
    description: 'Token to register with: that of a proxy, or of an admin with the scope `operate`.',
  }),
  proxyId: text('DATA_PROXY_ID', { description: 'Name of this proxy there.', default: 'data-proxy-1' }),
  proxyPool: text('DATA_PROXY_POOL', { description: 'Pool that it belongs to.', default: 'standard' }),
  advertise: hostPort('DATA_PROXY_ADVERTISE', {
    description: 'Where the load balancer reaches this proxy.',
    computedDefault: 'DATA_PROXY_LISTEN',
  }),
  access: flag('DATA_PROXY_ACCESS', {
    description: 'Whether the control plane, where there is one, decides what users may do.',
    default: 'true',
  }),
  accessClaim: text('DATA_PROXY_ACCESS_CLAIM', {
    description: 'Claim of a token with the external id of its user.',
    default: 'sub',
  }),
  accessProvider: variable(
    'DATA_PROXY_ACCESS_PROVIDER',
    {
      description: 'Identity provider, as the SCIM service calls it, whose external ids these are.',
      default: 'default',
    },
    'the name of an identity provider',
    parseProvider,
  ),
  accessLeaseMs: durationMs('DATA_PROXY_ACCESS_LEASE', {
    description: 'How long users are served while no control plane confirms their access.',
    min: '2s',
    max: '10m',
    default: '30s',
  }),
  replicas: integer('DATA_PROXY_REPLICAS', {
    description: 'Proxies that share the caps of the backends; each takes its part.',
    min: 1,
    max: 1000,
    default: '1',
  }),

  mode,
  dataDirectory,
  logLevel,
  shutdownDelayMs,
  shutdownGraceMs,
} satisfies Variables;

function parseNames(value: string, max = 100): readonly string[] | undefined {
  const names = value.split(',').map((name) => name.trim());
  return names.length <= max && !names.includes('') ? names : undefined;
}

function parseUrls(value: string): readonly string[] | undefined {
  const urls = parseNames(value, 10);
  return urls?.every((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')) ? urls : undefined;
}

function parseProvider(value: string): ProviderId | undefined {
  return unlessThrown(InvalidIdentifierError, () => parseProviderId(value));
}

function parseBrokers(value: string): readonly string[] | undefined {
  const brokers = parseNames(value, 32);
  return brokers?.every((broker) => /^[\w.[\]:-]{1,255}:\d{1,5}$/.test(broker)) ? brokers : undefined;
}
