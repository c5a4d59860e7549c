import { isIP } from 'node:net';
import {
  InvalidIdentifierError,
  parsePoolName,
  parseProxyId,
  unlessThrown,
  type PoolName,
  type Proxy,
} from '@palisade/domain';
import type { DiscoveredProxy } from '../discovery/discovered-proxies.js';
import type { PoolDefinition } from '../config/control-plane-settings.js';
import { WEIGHT_ANNOTATION, type ProxyPod } from './proxy-pod.js';

export interface PodRules {
  readonly pools: ReadonlyMap<PoolName, PoolDefinition>;
  readonly poolLabel: string;
  readonly portName: string;
}

export interface PodProxies {
  readonly proxies: readonly DiscoveredProxy[];
  /** Problems of pods, by name. Those that pass by themselves are left out. */
  readonly problems: ReadonlyMap<string, string>;
}

interface Candidate {
  readonly pod: ProxyPod;
  readonly proxy: DiscoveredProxy;
}

const MIN_WEIGHT = 1;
const MAX_WEIGHT = 256;
const MAX_SHOWN_LENGTH = 40;

/**
 * Maps pods to proxies. A ready pod is a proxy; a terminating pod that was a proxy drains until it is gone; a pod that is not
 * ready is not a proxy, unless no pod of its pool is ready: then those that were proxies stay, as health checks are more
 * reliable than a cluster that has lost sight of all of them.
 *
 * @param known the proxies from the last round
 */
export function podsToProxies(
  pods: Iterable<ProxyPod>,
  known: ReadonlyMap<string, Proxy>,
  rules: PodRules,
): PodProxies {
  const problems = new Map<string, string>();
  const candidates: Candidate[] = [];
  for (const pod of [...pods].filter((each) => !each.hasEnded && each.ip !== undefined)) {
    const proxy = toProxy(pod, known.get(pod.name), rules, problems);
    if (proxy !== undefined) {
      candidates.push({ pod, proxy });
    }
  }
  const isServing = ({ pod }: Candidate): boolean => pod.isReady && !pod.isTerminating;
  const servedPools = new Set(candidates.filter(isServing).map(({ proxy }) => proxy.pool));
  const isProxy = (candidate: Candidate): boolean => {
    const { pod, proxy } = candidate;
    const mayStay = pod.isTerminating || !servedPools.has(proxy.pool);
    return isServing(candidate) || (mayStay && known.has(pod.name));
  };
  return { proxies: candidates.filter(isProxy).map(({ proxy }) => proxy), problems };
}

function toProxy(
  pod: ProxyPod,
  known: Proxy | undefined,
  rules: PodRules,
  problems: Map<string, string>,
): DiscoveredProxy | undefined {
  const fault = findFault(pod, rules);
  if (fault !== undefined) {
    problems.set(pod.name, fault);
    return undefined;
  }
  const weight = readWeight(pod.weight);
  if (weight === undefined) {
    const found = JSON.stringify(pod.weight?.slice(0, MAX_SHOWN_LENGTH));
    const expected = `${MIN_WEIGHT} to ${MAX_WEIGHT}`;
    problems.set(pod.name, `annotation ${WEIGHT_ANNOTATION}: expected ${expected}, found ${found}`);
  }
  const { name, ip: host = '', port = 0, pool = '', isTerminating } = pod;
  // A new pod of a StatefulSet has the name of the old one, which drained; the new one does not.
  const isSame = known?.host === host && known.port === port;
  return {
    id: parseProxyId(name),
    pool: parsePoolName(pool),
    host,
    port,
    weight: weight ?? MIN_WEIGHT,
    isDraining: isTerminating || (isSame ? undefined : false),
  };
}

function findFault({ name, ip, port, pool }: ProxyPod, { pools, poolLabel, portName }: PodRules): string | undefined {
  if (pool === undefined || !isPool(pool, pools)) {
    return `label ${poolLabel}: expected the name of a pool, found ${JSON.stringify(pool) ?? 'nothing'}`;
  }
  if (port === undefined) {
    return `expected a container port of the name "${portName}", found none`;
  }
  if (ip === undefined || isIP(ip) === 0) {
    return `expected an address, found ${JSON.stringify(ip)}`;
  }
  return isProxyId(name) ? undefined : 'its name cannot be the id of a proxy';
}

function isPool(text: string, pools: PodRules['pools']): boolean {
  return [...pools.keys()].some((name) => name === text);
}

function isProxyId(text: string): boolean {
  return unlessThrown(InvalidIdentifierError, () => parseProxyId(text)) === text;
}

/** 1 without an annotation; undefined for an invalid one. */
function readWeight(text = String(MIN_WEIGHT)): number | undefined {
  const weight = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return weight >= MIN_WEIGHT && weight <= MAX_WEIGHT ? weight : undefined;
}
