import { closestName, MAX_WILDCARD_PATTERNS, patternShape, type NamespacePattern } from '@palisade/domain';
import { expectedText, type Path } from '@palisade/isolation/settings';
import type { FileReport } from '../file-report.js';
import { resolveDefaultPool, resolvePools } from '../resolve-pools.js';
import type { FileRoute } from '../routing-file.js';
import type { ControlPlaneFile } from '../schema/control-plane-file.js';

/** There are pools, and each has an isolation level that it offers. */
export function checkPools(file: ControlPlaneFile, report: FileReport): void {
  const { deployment, proxy, proxyPools, isolationLevel } = file;
  if (deployment.model !== 'single_tenant' && proxyPools.size === 0 && report.isSound('deployment', 'model')) {
    report.problem(['proxy_pools'], `expected one pool at least in ${deployment.model}, found none`);
  }
  if (isolationLevel !== undefined && proxy.isolationLevel !== undefined && isolationLevel !== proxy.isolationLevel) {
    report.expected(['proxy', 'isolation_level'], `${isolationLevel} as isolation_level of the file says`);
  }
  if (!report.isSound('isolation_level') || !report.isSound('proxy')) {
    return;
  }
  for (const [name, pool] of resolvePools(file)) {
    const { isolationLevel: own, isolationLevels: offered } = pool;
    if (own !== undefined && offered !== undefined && !offered.includes(own)) {
      report.expected(['proxy_pools', name, 'isolation_levels'], `a list with ${own}, the level of the pool`);
    }
    if (pool.isolationLevel === undefined && report.isSound(...pool.levelPath)) {
      report.problem(pool.levelPath, expectedText('none, namespace or session', undefined));
    }
  }
}

/** The pool of everything else exists. */
export function checkDefaultPool(file: ControlPlaneFile, report: FileReport): void {
  if (file.defaultPool !== undefined) {
    checkPoolExists(new Set(resolvePools(file).keys()), file.defaultPool, ['default_pool'], report);
  } else if (file.deployment.model === 'single_tenant' && report.isSound() && resolveDefaultPool(file) === undefined) {
    report.problem(['default_pool'], 'expected the name of a pool, as there are several, found nothing');
  }
}

/** Says which pool was probably meant. Says nothing when the pools are not known. */
export function checkPoolExists(pools: ReadonlySet<string>, name: string, path: Path, report: FileReport): void {
  if (pools.has(name) || !report.hasForm('proxy_pools') || !report.isSound('deployment', 'model')) {
    return;
  }
  const meant = closestName(name, pools);
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
  report.problem(path, `expected a pool of proxy_pools, found "${name}"${advice}`);
}

interface PlacedRoute {
  readonly pool: string;
  readonly pattern: NamespacePattern;
  /** Where it stands, for people. */
  readonly place: string;
  readonly path: Path;
}

/** Entries name pools that exist, each of them once for one pattern. Patterns may overlap: the most exact one wins. */
export function checkNamespaceRouting(file: ControlPlaneFile, report: FileReport, more: readonly FileRoute[]): void {
  const pools = new Set(resolvePools(file).keys());
  const placesByPattern = new Map<NamespacePattern, Map<string, string>>();
  let wildcards = 0;
  for (const { pattern, pool, place, path } of soundRoutes(file, more, report)) {
    checkPoolExists(pools, pool, path, report);
    const known = placesByPattern.get(pattern) ?? new Map<string, string>();
    const first = known.get(pool);
    if (first !== undefined) {
      report.problem(path, `expected another pool: ${first} sends "${pattern}" to ${pool} already`);
    } else if (known.size === 0 && patternShape(pattern) === 'wildcard') {
      wildcards += 1;
    }
    placesByPattern.set(pattern, known.set(pool, first ?? place));
  }
  if (wildcards > MAX_WILDCARD_PATTERNS) {
    report.problem(
      ['namespace_routing'],
      `expected at most ${MAX_WILDCARD_PATTERNS} patterns that are neither a name nor a prefix with "*" at its end, found ${wildcards}`,
    );
  }
}

function* soundRoutes(
  { namespaceRouting }: ControlPlaneFile,
  more: readonly FileRoute[],
  report: FileReport,
): Generator<PlacedRoute> {
  const isSound = report.isSound('namespace_routing');
  for (const [index, { pattern, pool }] of namespaceRouting.entries()) {
    if (isSound || report.isSound('namespace_routing', index)) {
      const path = ['namespace_routing', index, 'pool'];
      yield { pattern, pool, path, place: `namespace_routing[${index}]` };
    }
  }
  for (const { pattern, pool, line } of more) {
    yield { pattern, pool, path: ['namespace_routing_file', line], place: `line ${line} of namespace_routing_file` };
  }
}
