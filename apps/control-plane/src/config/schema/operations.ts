import {
  choice,
  duration,
  FLAG,
  integer,
  list,
  named,
  optional,
  PERCENT,
  required,
  section,
  text,
  value,
  variants,
  wholeSeconds,
  withDefault,
  NAMESPACE,
  enumerate,
  POOL_NAME,
} from '@palisade/isolation/settings';
import { z } from 'zod';
import { DNS_NAME, HEADER_NAME, KUBERNETES_LABEL, LABEL_SELECTOR, METRIC_LABEL, PORT_NAME } from './names.js';
import { COMMAND, ENDPOINT, FILE_PATH, HOST_PORT, PROGRAM, REQUEST_PATH, SECRET_FILE } from './places.js';

export const LOAD_BALANCERS = ['haproxy', 'nginx', 'envoy'] as const;

export const LOAD_BALANCER = section({
  type: required(choice(LOAD_BALANCERS), 'The program that requests go through.'),
  config_path: required(
    FILE_PATH,
    'File that the control plane owns; its maps and its last good copy are in the same directory.',
  ),
  reload_command: optional(
    COMMAND,
    'Command that makes the load balancer use a new configuration, if not its own way.',
    {
      computedDefault: "the load balancer's own way; with HAProxy that needs `master_socket`",
    },
  ),
  bind: withDefault(HOST_PORT, '0.0.0.0:8080', 'Address that the load balancer listens on.'),
  certificate_file: optional(FILE_PATH, 'PEM with certificate and key of the listener; absent: without TLS.'),
  master_socket: optional(FILE_PATH, 'Socket of the master process (`haproxy -W -S`).', { appliesTo: 'haproxy' }),
  runtime_socket: optional(FILE_PATH, 'Socket for changes without a reload (`stats socket … level admin`).', {
    appliesTo: 'haproxy',
  }),
  binary: optional(PROGRAM, 'The program that validates a configuration.', { computedDefault: 'the `type`' }),
  namespace_header: withDefault(HEADER_NAME, 'x-palisade-namespace', 'Request header that names the namespace.'),
  namespace_source: withDefault(
    choice(['header', 'host']),
    'header',
    'Where the namespace of a request is read: that header, or the first label of the host.',
  ),
  coalesce: withDefault(duration('0ms', '1m'), '250ms', 'Changes within this time are applied together.'),
  policy_wait: withDefault(
    duration('0ms', '1m'),
    '2s',
    'How long a tenant that comes to a pool waits until the proxies there have acknowledged it.',
  ),
  command_timeout: withDefault(duration('1s', '10m'), '30s', 'Time that validating or reloading may take.'),
  drift_interval: withDefault(
    duration('1s', '1d'),
    '1m',
    'Time between two comparisons of the configuration in use with the desired one.',
  ),
});

const STATIC_PROXY = section({
  pool: required(POOL_NAME, 'Pool of the proxy.'),
  endpoint: required(HOST_PORT, 'Address of the proxy.'),
  weight: withDefault(integer(1, 256), 1, 'Share of requests, relative to the others of the pool.'),
});

const DISCOVERY_TYPES = ['static', 'dns_srv', 'kubernetes'] as const;

/** One way of discovery, which may have a second name. */
function discoveryType<const T extends (typeof DISCOVERY_TYPES)[number]>(type: T, ...aliases: string[]) {
  const written = z.literal([type, ...aliases]);
  const schema = z.codec(written, z.custom<T>(), { decode: () => type as never, encode: () => type as never });
  return required(
    value(schema as unknown as z.ZodType<T, string>, { expected: enumerate(DISCOVERY_TYPES) }),
    'How proxies are found that do not register; `orchestrator` is another word for `kubernetes`.',
  );
}

export const SERVICE_DISCOVERY = variants('type', [
  section({
    type: discoveryType('static'),
    proxies: required(list(STATIC_PROXY, 10_000), 'The proxies.'),
  }),
  section({
    type: discoveryType('dns_srv'),
    services: required(named(POOL_NAME, DNS_NAME, 1000), 'Name of the SRV records of each pool, by pool.'),
    interval: withDefault(duration('1s', '1d'), '10s', 'Time between two lookups.'),
  }),
  section({
    type: discoveryType('kubernetes', 'orchestrator'),
    label_selector: required(LABEL_SELECTOR, 'Pods that are proxies.'),
    pool_label: withDefault(KUBERNETES_LABEL, 'prism.io/pool', 'Label of a pod whose value is the pool.'),
    port_name: withDefault(PORT_NAME, 'proxy', 'Name of the container port that requests go to.'),
  }),
]);

export const DNS = section({
  server: required(HOST_PORT, 'Server that takes updates (RFC 2136), as `host:port`.'),
  zone: required(DNS_NAME, 'Zone; `<pool>.<zone>` gets the addresses of the healthy proxies of the pool.'),
  key_name: required(DNS_NAME, 'Name of the TSIG key (RFC 8945).'),
  key_algorithm: withDefault(
    choice(['hmac-sha256', 'hmac-sha384', 'hmac-sha512']),
    'hmac-sha256',
    'Algorithm of the key.',
  ),
  key_secret_file: required(SECRET_FILE, 'File whose content is the key in base64.'),
  ttl: withDefault(wholeSeconds('1s', '1d'), '20s', 'How long resolvers may keep an answer.'),
  timeout: withDefault(duration('100ms', '1m'), '5s', 'Time that the server has to answer.'),
});

export const KUBERNETES = section({
  namespace: withDefault(NAMESPACE, 'default', 'Namespace of Kubernetes in which proxies and tenants are looked for.'),
  kubeconfig_file: optional(FILE_PATH, 'File with the access to the cluster.', {
    computedDefault: "the pod's service account, else the file that `KUBECONFIG` names",
  }),
  watch_tenants: withDefault(FLAG, true, 'Whether PrismTenant resources are watched.'),
  leader_election: withDefault(
    FLAG,
    false,
    'Whether the leader is elected by a Lease of the cluster, instead of one in the store.',
  ),
});

export const HEALTH_CHECKS = section({
  path: withDefault(REQUEST_PATH, '/health/ready', 'Path that is requested from a proxy; 200 to 299 means healthy.'),
  interval: withDefault(duration('100ms', '1h'), '5s', 'Time between two checks of a proxy.'),
  timeout: withDefault(duration('10ms', '1m'), '2s', 'Time that a proxy has to answer; at most the interval.'),
  rise: withDefault(integer(1, 100), 2, 'Consecutive good answers that make an unhealthy proxy healthy.'),
  fall: withDefault(integer(1, 100), 3, 'Consecutive failures that make a healthy proxy unhealthy.'),
  panic_threshold: withDefault(PERCENT, 50, 'With fewer healthy proxies than that, all proxies of a pool are kept.'),
  heartbeat_timeout: withDefault(
    duration('1s', '1h'),
    '15s',
    'A registered proxy without a heartbeat for this time is unhealthy.',
  ),
  forget_after: withDefault(
    duration('1s', '20d'),
    '10m',
    'A registered proxy without a heartbeat for this time is removed; more than `heartbeat_timeout`.',
  ),
});

export const CONTROL_PLANE = section({
  listen_addr: optional(HOST_PORT, 'Address of the HTTP listener; `SVC_CONTROL_LISTEN` wins.', {
    computedDefault: '`0.0.0.0:8980`',
  }),
});

export const OBSERVABILITY = section({
  metrics_endpoint: optional(ENDPOINT, 'Where metrics are, for people and tools.'),
  traces_endpoint: optional(ENDPOINT, 'Where traces are, for people and tools.'),
  logs_endpoint: optional(ENDPOINT, 'Where logs are, for people and tools.'),
  tenant_label: withDefault(METRIC_LABEL, 'tenant_id', 'Label that carries the tenant where tenants share metrics.'),
});

export const COMPLIANCE = section({
  frameworks: withDefault(
    list(text(63), 50),
    [],
    'Frameworks that the installation has to satisfy; what each demands: [compliance](compliance.md).',
  ),
  pii_encryption: withDefault(
    FLAG,
    false,
    'Whether personal data is encrypted at rest; the control plane checks it against the frameworks.',
  ),
  audit_retention_days: withDefault(integer(1, 36_500, 'days'), 365, 'How long records of the log are kept.'),
});
