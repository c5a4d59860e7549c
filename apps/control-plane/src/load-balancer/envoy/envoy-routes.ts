import type { JsonObject } from '@palisade/domain';
import type { LoadBalancerSettings } from '../../config/control-plane-settings.js';
import type { Destination } from '../../routing/table/desired-state.js';
import { RejectedStateError } from '../load-balancer.errors.js';
import { inSlices, sortInSlices } from '../rendering/slices.js';
import {
  printHeader,
  printNamespace,
  printPattern,
  printPool,
  printPrefix,
  errorBody,
  type ErrorStatus,
} from '../rendering/printed-values.js';
import { contestedPrefixes, orderWildcards, type WildcardPattern } from '../rendering/wildcard-patterns.js';
import type { ResolvedState } from '../rendering/resolved-state.js';
import { LISTENER, clusterOf } from './envoy-resources.js';

type Source = Pick<LoadBalancerSettings, 'namespaceSource' | 'namespaceHeader'>;

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const IS_NAMESPACE = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The domains by which Envoy finds the destinations of names and prefixes. A name is a domain itself, and `<name>.*` when
 * hosts are compared. A prefix is the domain `<prefix>*`, of which Envoy takes the longest, and, as the star never matches
 * nothing, also the domain of the prefix alone. Prefixes for whose namespaces wildcards may have precedence are left out.
 */
function* domainEntries(state: ResolvedState, source: Source): Generator<readonly [string, string]> {
  const contested = contestedPrefixes(orderWildcards(state.wildcards));
  for (const [namespace, destination] of state.exact) {
    const pool = printEnvoyPool(destination);
    for (const domain of nameDomains(printNamespace(namespace), source)) {
      yield [domain, pool];
    }
  }
  for (const [prefix, destination] of state.prefixes) {
    if (!contested.has(prefix) && prefix !== '') {
      const pool = printEnvoyPool(destination);
      for (const domain of prefixDomains(prefix, state)) {
        yield [domain, pool];
      }
    }
  }
}

function nameDomains(name: string, { namespaceSource }: Source): string[] {
  return namespaceSource === 'host' ? [name, `${name}.*`] : [name];
}

function prefixDomains(prefix: string, { exact }: ResolvedState): string[] {
  const printed = printPrefix(prefix);
  return IS_NAMESPACE.test(printed) && !exact.has(printed) ? [printed, `${printed}*`] : [`${printed}*`];
}

function printEnvoyPool(destination: Destination): string {
  if (typeof destination !== 'string') {
    const pools = destination.parts.map(({ pool }) => printPool(pool)).join(', ');
    throw new RejectedStateError(
      `Envoy cannot divide namespaces between pools (${pools}) as the control plane does: use HAProxy, or one pool per pattern`,
    );
  }
  return printPool(destination);
}

/**
 * The table of routes.
 *
 * @throws {RejectedStateError} when something in the state cannot be written, or divides namespaces between pools, which Envoy
 * does differently
 */
export async function routeConfiguration(state: ResolvedState, source: Source): Promise<JsonObject> {
  const ofPools: JsonObject[] = [];
  for (const [pool, domains] of await domainsByPool(state, source)) {
    ofPools.push(host(`pool ${pool}`, await sortInSlices(domains), [toPool(pool)], source));
  }
  const header = { key: printHeader(source.namespaceHeader), value: '%DYNAMIC_METADATA(palisade:namespace)%' };
  return {
    name: LISTENER,
    ...(source.namespaceSource === 'host' ? {} : { vhost_header: printHeader(source.namespaceHeader).toLowerCase() }),
    ignore_port_in_host_matching: true,
    request_headers_to_add: [{ header, append_action: 'OVERWRITE_IF_EXISTS_OR_ADD' }],
    virtual_hosts: [...ofPools, ...contestedHosts(state, source), hostOfAll(state, source)],
  };
}

/** Sorted by pool. */
async function domainsByPool(state: ResolvedState, source: Source): Promise<(readonly [string, string[]])[]> {
  const byPool = new Map<string, string[]>();
  await inSlices(domainEntries(state, source), ([domain, pool]) => {
    const known = byPool.get(pool) ?? [];
    known.push(domain);
    byPool.set(pool, known);
  });
  return [...byPool].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** One host for each prefix for whose namespaces wildcards have to be tried first. */
function contestedHosts(state: ResolvedState, source: Source): JsonObject[] {
  const wildcards = orderWildcards(state.wildcards);
  const contested = contestedPrefixes(wildcards);
  return [...state.prefixes]
    .filter(([prefix]) => prefix !== '' && contested.has(prefix))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([prefix, destination]) => {
      const rivals = wildcards.filter(({ literalPrefix }) => literalPrefix.startsWith(prefix));
      const routes = [...rivals.map((rival) => toWildcard(rival, source)), toPool(printEnvoyPool(destination))];
      return host(`prefix ${prefix}`, prefixDomains(prefix, state), routes, source);
    });
}

/** For namespaces without a name of their own and without a prefix other than the empty one. */
function hostOfAll(state: ResolvedState, source: Source): JsonObject {
  const wildcards = orderWildcards(state.wildcards).map((wildcard) => toWildcard(wildcard, source));
  const rest = state.prefixes.get('') ?? state.fallback;
  return host(
    'others',
    ['*'],
    [...wildcards, rest === undefined ? answer(404, {}) : toPool(printEnvoyPool(rest))],
    source,
  );
}

function host(name: string, domains: readonly string[], routes: readonly JsonObject[], source: Source): JsonObject {
  const retries = { retry_on: 'connect-failure,refused-stream', num_retries: 3 };
  return { name, domains, routes: [answer(400, { headers: [illFormed(source)] }), ...routes], retry_policy: retries };
}

function toPool(pool: string, match: JsonObject = {}): JsonObject {
  return { match: { prefix: '/', ...match }, route: { cluster: clusterOf(pool), timeout: '0s', idle_timeout: '60s' } };
}

function toWildcard({ pattern, destination }: WildcardPattern, source: Source): JsonObject {
  const regex = printPattern(pattern).replaceAll('?', '[a-z0-9-]').replaceAll('*', '[a-z0-9-]*');
  return toPool(printEnvoyPool(destination), { headers: [namespaceMatch(regex, source)] });
}

function answer(status: ErrorStatus, match: JsonObject): JsonObject {
  const header = { key: 'content-type', value: 'application/problem+json' };
  return {
    match: { prefix: '/', ...match },
    direct_response: { status, body: { inline_string: errorBody(status) } },
    response_headers_to_add: [{ header, append_action: 'OVERWRITE_IF_EXISTS_OR_ADD' }],
  };
}

function illFormed(source: Source): JsonObject {
  return { ...namespaceMatch(LABEL, source), invert_match: true, treat_missing_header_as_empty: true };
}

/**
 * Envoy's expressions match the whole text, in linear time. It compares hosts regardless of case, but cannot forward them in
 * lower case: hosts in upper case are not namespaces.
 */
function namespaceMatch(regex: string, { namespaceSource, namespaceHeader }: Source): JsonObject {
  return namespaceSource === 'host'
    ? { name: ':authority', string_match: { safe_regex: { regex: `${regex}([.:].*)?` } } }
    : { name: printHeader(namespaceHeader).toLowerCase(), string_match: { safe_regex: { regex } } };
}
