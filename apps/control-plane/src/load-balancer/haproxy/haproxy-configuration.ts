import { createHash } from 'node:crypto';
import type { WeightedSplit } from '../../routing/table/desired-state.js';
import { OWNERSHIP_MARK } from '../rendering/rendered-file.js';
import {
  printAddress,
  printHeader,
  printHost,
  printInteger,
  printPath,
  printPool,
  printPort,
  printServer,
  printSocket,
  printWeight,
  errorBody,
} from '../rendering/printed-values.js';
import type { ResolvedPool, ResolvedServer } from '../rendering/resolved-state.js';
import type { LoadBalancerSettings } from '../../config/control-plane-settings.js';
import { FINAL_RANK, NO_DESTINATION } from './namespace-table.js';

export interface MapPaths {
  readonly namespaces: string;
  readonly wildcards: string;
}

export interface HaproxyLayout {
  readonly settings: LoadBalancerSettings;
  readonly pools: readonly ResolvedPool[];
  /** With the names that maps use for them. */
  readonly splits: readonly (readonly [string, WeightedSplit])[];
}

/**
 * Identifies everything that only a reload can change: all but servers and the contents of maps. A worker shows it as the
 * description in `show info`.
 */
export function fingerprintOf(layout: HaproxyLayout, maps: MapPaths): string {
  const pools = layout.pools.map(({ name }) => ({ name, servers: [] }));
  const frame = printConfiguration({ ...layout, pools }, maps, '');
  return `palisade-${createHash('sha256').update(frame).digest('hex').slice(0, 16)}`;
}

/** @throws {RejectedStateError} when a value cannot be written */
export function printConfiguration(layout: HaproxyLayout, maps: MapPaths, fingerprint: string): string {
  const sections = [
    [`# ${OWNERSHIP_MARK}`],
    globalSection(layout.settings, fingerprint),
    defaultsSection(),
    frontendSection(layout, maps),
    [`backend ${UNAVAILABLE_BACKEND} from ${DEFAULTS}`],
    ...layout.pools.map(backendSection),
  ];
  return sections.map(([head, ...lines]) => [head, ...lines.map((line) => `    ${line}`), ''].join('\n')).join('\n');
}

function globalSection({ runtimeSocket }: LoadBalancerSettings, fingerprint: string): string[] {
  const socket = runtimeSocket === undefined ? [] : [`stats socket ${printSocket(runtimeSocket)} mode 660 level admin`];
  return ['global', `description ${fingerprint}`, ...socket, 'hard-stop-after 10m'];
}

function defaultsSection(): string[] {
  return [
    `defaults ${DEFAULTS}`,
    'mode http',
    'log global',
    'option httplog',
    'option dontlognull',
    // Without this option a reload closes idle connections on which clients may be sending.
    'option idle-close-on-response',
    'option forwardfor',
    'option redispatch 1',
    'retries 3',
    'timeout connect 3s',
    'timeout http-request 10s',
    'timeout http-keep-alive 60s',
    'timeout client 60s',
    'timeout server 60s',
    'timeout queue 10s',
    'timeout tunnel 1h',
    `http-error status 503 ${printError(503)} hdr Retry-After 1`,
  ];
}

function frontendSection({ settings, splits }: HaproxyLayout, maps: MapPaths): string[] {
  const namespace = 'var(txn.palisade_ns)';
  const header = printHeader(settings.namespaceHeader);
  return [
    `frontend ${FRONTEND} from ${DEFAULTS}`,
    printBind(settings),
    ...namespaceRules(settings, header),
    `http-request return status 400 ${printError(400)} if !{ ${namespace} -m reg ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$ }`,
    // Variants with "_" as well: some servers do not distinguish it from "-".
    `http-request del-header ^${header.toLowerCase().replaceAll('-', '[-_]')}$ -m reg`,
    `http-request set-header ${header} %[${namespace}]`,
    ...(settings.certificateFile === undefined ? [] : ['http-request set-header X-Forwarded-Proto https']),
    'http-request set-var(txn.palisade_key) str(/),concat(,txn.palisade_ns,.)',
    `http-request set-var(txn.palisade_route) var(txn.palisade_key),map_beg(${printPath(maps.namespaces)},${NO_DESTINATION}/0)`,
    'http-request set-var(txn.palisade_rank) var(txn.palisade_route),field(2,/)',
    `http-request set-var(txn.palisade_wild) ${namespace},map_reg(${printPath(maps.wildcards)}) if { var(txn.palisade_rank) -m int lt ${FINAL_RANK} }`,
    'http-request set-var(txn.palisade_route) var(txn.palisade_wild) if { var(txn.palisade_wild),field(2,/),sub(txn.palisade_rank) ge 0 }',
    'http-request set-var(txn.palisade_pool) var(txn.palisade_route),field(1,/)',
    `http-request return status 404 ${printError(404)} if { var(txn.palisade_pool) -m str ${NO_DESTINATION} }`,
    ...splits.flatMap(([name, split]) => splitRules(name, split)),
    `use_backend ${BACKEND_PREFIX}%[var(txn.palisade_pool)]`,
    `default_backend ${UNAVAILABLE_BACKEND}`,
  ];
}

function printBind({ bind, certificateFile }: LoadBalancerSettings): string {
  const address = `bind ${printHost(bind.host)}:${printPort(bind.port)}`;
  return certificateFile === undefined
    ? address
    : `${address} ssl crt ${printPath(certificateFile)} ssl-min-ver TLSv1.2 alpn h2,http/1.1`;
}

function namespaceRules({ namespaceSource }: LoadBalancerSettings, header: string): string[] {
  switch (namespaceSource) {
    case 'host':
      return ['http-request set-var(txn.palisade_ns) req.fhdr(host),field(1,:),field(1,.),lower'];
    case 'header':
      // The whole line, so that a list is not a namespace. With several lines, servers differ in which one they use.
      return [
        `http-request set-var(txn.palisade_ns) req.fhdr(${header})`,
        `http-request return status 400 ${printError(400)} if { req.fhdr_cnt(${header}) gt 1 }`,
      ];
  }
}

/** Divides as `zlib.crc32(namespace) % total` does. */
function splitRules(name: string, { parts }: WeightedSplit): string[] {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const isSplit = `{ var(txn.palisade_pool) -m str ${name} }`;
  const remainder = `var(txn.palisade_ns),crc32,mod(${printInteger('a sum of weights', total, 1, Number.MAX_SAFE_INTEGER)})`;
  let limit = 0;
  return parts.map(({ pool, weight }) => {
    limit += weight;
    return `http-request set-var(txn.palisade_pool) str(${printPool(pool)}) if ${isSplit} { ${remainder} lt ${limit} }`;
  });
}

function printError(status: 400 | 404 | 503): string {
  return `content-type application/problem+json string '${errorBody(status)}'`;
}

function backendSection({ name, servers }: ResolvedPool): string[] {
  return [
    `backend ${backendOf(name)} from ${DEFAULTS}`,
    // Servers can only be added at runtime when the algorithm is dynamic.
    'balance roundrobin',
    ...servers.map((server) => `server ${printServerOptions(server)}${server.state === 'down' ? ' disabled' : ''}`),
  ];
}

/**
 * The server as written in the configuration and in the command `add server`, which has no defaults. A server drains with
 * weight 0. The control plane decides on health; HAProxy itself only detects servers that do not accept connections.
 */
export function printServerOptions(server: ResolvedServer): string {
  const address = `${printAddress(server.host)}:${printPort(server.port)}`;
  return `${printServer(server.id)} ${address} weight ${printEffectiveWeight(server)} check inter 2s fall 3 rise 1`;
}

export function printEffectiveWeight({ state, weight }: ResolvedServer): string {
  const printed = printWeight(weight);
  return state === 'drain' ? '0' : printed;
}

/** Distinct from each other, as HAProxy 3.3 demands, and unlikely to clash with names in an operator's own file. */
export const DEFAULTS = 'palisade-defaults';
export const FRONTEND = 'palisade';
export const UNAVAILABLE_BACKEND = 'palisade-unavailable';
export const BACKEND_PREFIX = 'palisade-pool-';

export function backendOf(pool: string): string {
  return `${BACKEND_PREFIX}${printPool(pool)}`;
}

/** The name of a server in commands. */
export function qualifiedServer(pool: string, server: string): string {
  return `${backendOf(pool)}/${printServer(server)}`;
}
