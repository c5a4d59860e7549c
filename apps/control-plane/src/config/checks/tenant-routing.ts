import { BACKEND_KINDS, ISOLATION_LEVELS, type BackendKind, type IsolationLevel } from '@palisade/domain';
import { keyNotes, type Path } from '@palisade/isolation/settings';
import type { RoutingRule } from '../control-plane-settings.js';
import type { FileReport } from '../file-report.js';
import { hasOwnPools, OWN_POOL_EXPECTED, resolvePools } from '../resolve-pools.js';
import type { ControlPlaneFile } from '../schema/control-plane-file.js';
import { TENANT_LIMITS } from '../schema/routing.js';
import { resourceProblems } from '../resource-limits.js';
import { measuresCpu } from '../isolation-settings.js';
import { checkPoolExists } from './pools.js';
import { coversMatch, findImpossible } from './rule-match.js';

/** Rules name pools that exist and limits that make sense there, and each of them can match. */
export function checkTenantRouting(file: ControlPlaneFile, report: FileReport): void {
  const rules = file.tenantRouting?.rules ?? [];
  const sound = rules
    .map((rule, index) => ({ rule, index, path: ['tenant_routing', 'rules', index] }))
    .filter(({ path }) => report.isSound(...path));
  for (const { rule, path } of sound) {
    checkAction(file, rule, [...path, 'action'], report);
  }
  for (const [position, { rule, path }] of sound.entries()) {
    const impossible = findImpossible(rule.match);
    const earlier = sound.slice(0, position).find((each) => coversMatch(each.rule.match, rule.match));
    if (impossible !== undefined) {
      report.warning([...path, 'match'], `never matches: ${impossible}`);
    } else if (earlier !== undefined) {
      report.warning(path, `never matches: tenant_routing.rules[${earlier.index}] takes all of its tenants before it`);
    }
  }
}

function checkAction(file: ControlPlaneFile, { match, action }: RoutingRule, path: Path, report: FileReport): void {
  const pools = resolvePools(file);
  const { pool } = action;
  if (pool !== undefined) {
    checkPoolExists(new Set(pools.keys()), pool, [...path, 'pool'], report);
  } else if (action.deployment === 'single_tenant') {
    if (!hasOwnPools(match.contracts, new Set(pools.keys())) && report.hasForm('proxy_pools')) {
      report.problem([...path, 'pool'], OWN_POOL_EXPECTED);
    }
  } else if (!['default_pool', 'namespace_routing', 'namespace_routing_file'].some((key) => report.isGiven([key]))) {
    report.warning(path, 'names no pool, and neither namespace_routing nor default_pool does: its tenants have to');
  }
  const levelOfPool = pool === undefined ? undefined : pools.get(pool)?.isolationLevel;
  const level = action.isolationLevel ?? levelOfPool;
  const offered = pool === undefined ? undefined : pools.get(pool)?.isolationLevels;
  if (level !== undefined && offered?.includes(level) === false) {
    report.expected([...path, 'isolation_level'], `${offered.join(' or ')}, as the pool ${pool} offers`);
  }
  checkResources(file, action, [...path, 'resource_limits'], report);
  if (level !== undefined) {
    checkLimits(file, action, level, [...path, 'connection_pools'], report);
  }
}

/** No namespace of the rule's tenants may use more than a whole proxy has, and CPU time is limited where it is measured. */
function checkResources(
  file: ControlPlaneFile,
  { pool, resourceLimits }: RoutingRule['action'],
  path: Path,
  report: FileReport,
): void {
  const pools = resolvePools(file);
  const reachable = pool === undefined ? [...pools.values()] : [pools.get(pool)].filter((each) => each !== undefined);
  if (resourceLimits === undefined || reachable.length === 0 || !report.isSound('proxy')) {
    return;
  }
  for (const problem of resourceProblems(
    resourceLimits,
    reachable.map(({ resources }) => resources),
    measuresCpu(file),
  )) {
    report.expected([...path, problem.key], problem.expected);
  }
}

/** The limits of a rule apply at the isolation level of its tenants, and fit below the hard limits. */
function checkLimits(
  file: ControlPlaneFile,
  { connectionPools }: RoutingRule['action'],
  level: IsolationLevel,
  path: Path,
  report: FileReport,
): void {
  for (const backend of BACKEND_KINDS) {
    for (const [name, schema] of Object.entries(TENANT_LIMITS)) {
      const { levels = ISOLATION_LEVELS } = keyNotes(schema) ?? {};
      if (report.isGiven([...path, backend, name]) && !levels.includes(level)) {
        const text = `expected only at isolation_level ${levels.join(' or ')}; the tenants of the rule have ${level}`;
        report.problem([...path, backend, name], text);
      }
    }
    const limits = connectionPools?.[backend] ?? {};
    const cap = capOf(file.connectionPools?.[backend]) ?? capOf(limits) ?? Infinity;
    if ((capOf(limits) ?? cap) !== cap) {
      const name = limits.maxTotalConnections === undefined ? 'max_connections' : 'max_total_connections';
      report.expected([...path, backend, name], `${cap}: the cap is of the pool, no tenant has one of its own`);
    }
    const shares = {
      connections_per_namespace: limits.connectionsPerNamespace,
      per_session_limit: limits.perSessionLimit,
    };
    for (const [name, share = 0] of Object.entries(shares)) {
      if (share > cap) {
        report.expected([...path, backend, name], `at most max_total_connections (${cap})`);
      }
    }
  }
}

type Limits = NonNullable<NonNullable<RoutingRule['action']['connectionPools']>[BackendKind]>;

function capOf({ maxTotalConnections, maxConnections }: Limits = {}): number | undefined {
  return maxTotalConnections ?? maxConnections;
}
