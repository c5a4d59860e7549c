import type { LoadBalancerSettings } from '../../config/control-plane-settings.js';
import { OWNERSHIP_MARK } from '../rendering/rendered-file.js';
import {
  printAddress,
  printHeader,
  printHost,
  printPath,
  printPool,
  printPort,
  printWeight,
  errorBody,
  type ErrorStatus,
} from '../rendering/printed-values.js';
import type { ResolvedPool } from '../rendering/resolved-state.js';
import { mapKey } from './nginx-maps.js';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
/** Hash tables are built faster when they may be several times as large as necessary. */
const TABLE_SLACK = 4;
const MIN_TABLE = 2048;

export function pidFileOf({ configPath }: LoadBalancerSettings): string {
  return `${configPath}.pid`;
}

/**
 * The configuration around the maps, in two pieces: before and after them.
 *
 * @param entries of the largest map
 * @throws {RejectedStateError} when a value cannot be written
 */
export function printNginxFrame(
  settings: LoadBalancerSettings,
  pools: readonly ResolvedPool[],
  entries: number,
): { readonly head: string; readonly tail: string } {
  const path = printPath(settings.configPath);
  const head = [
    `# ${OWNERSHIP_MARK}`,
    'worker_processes auto;',
    `pid ${pidFileOf(settings)};`,
    'error_log stderr warn;',
    'events { worker_connections 4096; }',
    'http {',
    'access_log off;',
    'server_tokens off;',
    'client_max_body_size 0;',
    ...TEMPORARY.map((kind) => `${kind}_temp_path ${path}.${kind}-temp;`),
    `map_hash_max_size ${Math.max(MIN_TABLE, entries * TABLE_SLACK)};`,
    'map_hash_bucket_size 128;',
    'map $http_upgrade $palisade_connection { default upgrade; "" ""; }',
    ...namespaceMap(settings),
    '',
  ];
  const live = pools.filter(({ servers }) => servers.some(({ state }) => state === 'up'));
  const tail = [
    'map $palisade_pool $palisade_upstream {',
    ...live.map(({ name }) => `${mapKey(printPool(name))} palisade-pool-${printPool(name)};`),
    'default "";',
    '}',
    ...live.flatMap(upstream),
    ...server(settings),
    '}',
    '',
  ];
  return { head: head.join('\n'), tail: tail.join('\n') };
}

/** `$palisade_ns` is the namespace, or empty without a valid one. */
function namespaceMap({ namespaceSource, namespaceHeader }: LoadBalancerSettings): string[] {
  const header = printHeader(namespaceHeader).toLowerCase().replaceAll('-', '_');
  const [source, end] = namespaceSource === 'host' ? ['$host', '(?:[.]|$)'] : [`$http_${header}`, '$'];
  return [`map ${source} $palisade_ns { default ""; "~^(${LABEL})${end}" $1; }`];
}

/** Draining servers are left out: the old workers finish their requests. */
function upstream({ name, servers }: ResolvedPool): string[] {
  const lines = servers
    .filter(({ state }) => state === 'up')
    .map(({ host, port, weight }) => `server ${printAddress(host)}:${printPort(port)} weight=${printWeight(weight)};`);
  return [`upstream palisade-pool-${printPool(name)} {`, ...lines, 'keepalive 64;', '}'];
}

function server(settings: LoadBalancerSettings): string[] {
  return [
    'server {',
    ...listen(settings),
    'default_type application/problem+json;',
    answerIfEmpty('$palisade_ns', 400),
    answerIfEmpty('$palisade_pool', 404),
    answerIfEmpty('$palisade_upstream', 503),
    'location / {',
    'proxy_pass http://$palisade_upstream;',
    'proxy_http_version 1.1;',
    'proxy_request_buffering off;',
    'proxy_connect_timeout 3s;',
    'proxy_set_header Host $http_host;',
    'proxy_set_header Upgrade $http_upgrade;',
    'proxy_set_header Connection $palisade_connection;',
    'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    ...(settings.certificateFile === undefined ? [] : ['proxy_set_header X-Forwarded-Proto https;']),
    `proxy_set_header ${printHeader(settings.namespaceHeader)} $palisade_ns;`,
    '}',
    '}',
  ];
}

function listen({ bind, certificateFile }: LoadBalancerSettings): string[] {
  const address = `listen ${printHost(bind.host)}:${printPort(bind.port)}`;
  if (certificateFile === undefined) {
    return [`${address};`];
  }
  const certificate = printPath(certificateFile);
  return [
    `${address} ssl;`,
    `ssl_certificate ${certificate};`,
    `ssl_certificate_key ${certificate};`,
    'ssl_protocols TLSv1.2 TLSv1.3;',
  ];
}

function answerIfEmpty(variable: string, status: ErrorStatus): string {
  return `if (${variable} = "") { return ${status} '${errorBody(status)}'; }`;
}
