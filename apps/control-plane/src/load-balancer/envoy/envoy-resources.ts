import type { JsonObject } from '@palisade/domain';
import type { LoadBalancerSettings } from '../../config/control-plane-settings.js';
import { OWNERSHIP_MARK } from '../rendering/rendered-file.js';
import {
  printAddress,
  printHost,
  printPath,
  printPort,
  printSocket,
  printWeight,
  printPool,
} from '../rendering/printed-values.js';
import type { ResolvedPool, ResolvedServer } from '../rendering/resolved-state.js';

const TYPE = 'type.googleapis.com';
/** The type of each resource in a watched file. */
export const RESOURCE_TYPES = {
  cluster: `${TYPE}/envoy.config.cluster.v3.Cluster`,
  listener: `${TYPE}/envoy.config.listener.v3.Listener`,
  routes: `${TYPE}/envoy.config.route.v3.RouteConfiguration`,
};

const HTTP = `${TYPE}/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`;
const HEADER_TO_METADATA = `${TYPE}/envoy.extensions.filters.http.header_to_metadata.v3.Config`;
const ROUTER = `${TYPE}/envoy.extensions.filters.http.router.v3.Router`;
const TLS = `${TYPE}/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext`;

const OWNER_AND_GROUP = 0o660;
/** Patterns have at most 63 characters; Envoy's default is less than a namespace needs. */
const MAX_REGEX_PROGRAM = 10_000;
/** The proxies protect themselves; Envoy's default is 1024. */
const MAX_UPSTREAM = 1_000_000;

/** The file that Envoy is started with: its identity, its administration socket, and the files that it watches. */
export function bootstrap(settings: LoadBalancerSettings, paths: EnvoyPaths): JsonObject {
  return {
    ...identity(),
    admin: { address: { pipe: { path: printSocket(adminSocketOf(settings)), mode: OWNER_AND_GROUP } } },
    dynamic_resources: { lds_config: followed(paths.listeners), cds_config: followed(paths.clusters) },
  };
}

/** Everything in one file, as `--mode validate` does not read watched files. */
export function trialBootstrap(listener: JsonObject, clusters: readonly JsonObject[]): JsonObject {
  return { ...identity(), static_resources: { listeners: [listener], clusters } };
}

function identity(): JsonObject {
  const limits = { re2: { max_program_size: { error_level: MAX_REGEX_PROGRAM, warn_level: MAX_REGEX_PROGRAM } } };
  return {
    node: { id: 'palisade', cluster: 'palisade', metadata: { note: OWNERSHIP_MARK } },
    layered_runtime: { layers: [{ name: 'palisade', static_layer: limits }] },
  };
}

function followed(path: string): JsonObject {
  return { path_config_source: { path: printPath(path) }, resource_api_version: 'V3' };
}

const HEALTH = { up: 'HEALTHY', drain: 'DRAINING', down: 'UNHEALTHY' } as const;

function endpoint({ host, port, weight, state }: ResolvedServer): JsonObject {
  const address = printAddress(host).replaceAll(/[[\]]/g, '');
  return {
    load_balancing_weight: Number(printWeight(weight)),
    health_status: HEALTH[state],
    endpoint: { address: { socket_address: { address, port_value: Number(printPort(port)) } } },
  };
}

export function cluster({ name, servers }: ResolvedPool): JsonObject {
  const cluster = clusterOf(name);
  return {
    name: cluster,
    type: 'STATIC',
    load_assignment: { cluster_name: cluster, endpoints: [{ lb_endpoints: servers.map(endpoint) }] },
    connect_timeout: '3s',
    // The control plane applies its own panic threshold.
    common_lb_config: { healthy_panic_threshold: { value: 0 } },
    ignore_health_on_host_removal: true,
    circuit_breakers: {
      thresholds: [
        {
          max_connections: MAX_UPSTREAM,
          max_pending_requests: MAX_UPSTREAM,
          max_requests: MAX_UPSTREAM,
          max_retries: 1024,
        },
      ],
    },
  };
}

/** @param routes a table of routes, or the path of its file */
export function listener(settings: LoadBalancerSettings, routes: JsonObject | string): JsonObject {
  const source: JsonObject =
    typeof routes === 'string'
      ? { rds: { route_config_name: LISTENER, config_source: followed(routes) } }
      : { route_config: routes };
  const { bind } = settings;
  const manager: JsonObject = {
    '@type': HTTP,
    stat_prefix: LISTENER,
    ...source,
    use_remote_address: true,
    // Some servers do not distinguish "-" from "_".
    common_http_protocol_options: { headers_with_underscores_action: 'DROP_HEADER', idle_timeout: '60s' },
    upgrade_configs: [{ upgrade_type: 'websocket' }],
    http_filters: [namespaceFilter(settings), { name: 'envoy.filters.http.router', typed_config: { '@type': ROUTER } }],
  };
  const filters = [{ name: 'envoy.filters.network.http_connection_manager', typed_config: manager }];
  const chain: JsonObject = { filters, ...transport(settings) };
  const address = printHost(bind.host).replaceAll(/[[\]]/g, '');
  return {
    name: LISTENER,
    address: { socket_address: { address, port_value: Number(printPort(bind.port)) } },
    filter_chains: [chain],
  };
}

/** Keeps the namespace for the header that proxies get; with several lines, the first one counts. */
function namespaceFilter({ namespaceSource, namespaceHeader }: LoadBalancerSettings): JsonObject {
  const [header, regex] =
    namespaceSource === 'host' ? [':authority', '^([^.:]*).*$'] : [namespaceHeader.toLowerCase(), '^([^,]*).*$'];
  const kept = {
    metadata_namespace: 'palisade',
    key: 'namespace',
    regex_value_rewrite: { pattern: { regex }, substitution: '\\1' },
  };
  return {
    name: 'envoy.filters.http.header_to_metadata',
    typed_config: { '@type': HEADER_TO_METADATA, request_rules: [{ header, on_header_present: kept }] },
  };
}

function transport({ certificateFile }: LoadBalancerSettings): JsonObject {
  if (certificateFile === undefined) {
    return {};
  }
  const filename = printPath(certificateFile);
  const common = {
    alpn_protocols: ['h2', 'http/1.1'],
    tls_params: { tls_minimum_protocol_version: 'TLSv1_2' },
    tls_certificates: [{ certificate_chain: { filename }, private_key: { filename } }],
  };
  return {
    transport_socket: {
      name: 'envoy.transport_sockets.tls',
      typed_config: { '@type': TLS, common_tls_context: common },
    },
  };
}

/** The name of the listener and of its table of routes. */
export const LISTENER = 'palisade';

export function clusterOf(pool: string): string {
  return `palisade-pool-${printPool(pool)}`;
}

/** The socket of Envoy's administration interface. */
export function adminSocketOf({ configPath }: LoadBalancerSettings): string {
  return `${stemOf(configPath)}.admin.sock`;
}

/** The files that Envoy watches. */
export interface EnvoyPaths {
  readonly clusters: string;
  readonly listeners: string;
  readonly routes: string;
}

export function envoyPathsBeside(configPath: string): EnvoyPaths {
  const stem = stemOf(configPath);
  return {
    clusters: `${stem}.clusters.json`,
    listeners: `${stem}.listeners.json`,
    routes: `${stem}.routes.json`,
  };
}

function stemOf(configPath: string): string {
  return configPath.replace(/\.[A-Za-z]+$/, '');
}
