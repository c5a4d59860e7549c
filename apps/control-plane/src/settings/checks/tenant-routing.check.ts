import type { ControlPlaneFile } from '../dto/control-plane-file.js';
import type { RuleSection } from '../dto/routing.dto.js';
import type { Findings } from '../findings/findings.js';
import type { Path } from '../findings/path.js';
import { OWN_POOL_EXPECTED, hasOwnPools } from '../../config/own-pools.js';
import { resolvePools } from '../mapping/resolve-pools.js';
import type { Check } from './check.js';
import { checkPoolExists } from './pools.check.js';
import { checkRuleLimits } from './rule-limits.js';
import { coversMatch, findImpossible } from './rule-match.js';

/** Rules name pools that exist and limits that make sense there, and each of them can match. */
export const checkTenantRouting: Check = (file, findings) => {
  const rules = file.tenant_routing?.rules ?? [];
  const sound = rules
    .map((rule, index) => ({ rule, index, path: ['tenant_routing', 'rules', index] }))
    .filter(({ path }) => findings.isSound(path));
  for (const { rule, path } of sound) {
    checkAction(file, rule, [...path, 'action'], findings);
  }
  for (const [position, { rule, path }] of sound.entries()) {
    const impossible = findImpossible(rule.match);
    const earlier = sound.slice(0, position).find((each) => coversMatch(each.rule.match, rule.match));
    if (impossible !== undefined) {
      findings.warning([...path, 'match'], `never matches: ${impossible}`);
    } else if (earlier !== undefined) {
      findings.warning(
        path,
        `never matches: tenant_routing.rules[${earlier.index}] takes all of its tenants before it`,
      );
    }
  }
};

function checkAction(file: ControlPlaneFile, { match, action }: RuleSection, path: Path, findings: Findings): void {
  const pools = resolvePools(file);
  const { pool } = action;
  if (pool !== undefined) {
    checkPoolExists(new Set(pools.keys()), pool, [...path, 'pool'], findings);
  } else if (action.deployment === 'single_tenant') {
    if (!hasOwnPools(match.contracts, new Set(pools.keys())) && findings.hasForm(['proxy_pools'])) {
      findings.problem([...path, 'pool'], OWN_POOL_EXPECTED);
    }
  } else if (file.default_pool === undefined && file.namespace_routing.length === 0) {
    findings.warning(path, 'names no pool, and neither namespace_routing nor default_pool does: its tenants have to');
  }
  const levelOfPool = pool === undefined ? undefined : pools.get(pool)?.isolationLevel;
  const level = action.isolation_level ?? levelOfPool;
  if (pool !== undefined && levelOfPool !== undefined && level !== levelOfPool) {
    findings.warning([...path, 'isolation_level'], `is ${level}, but the proxies of ${pool} have ${levelOfPool}`);
  }
  if (level !== undefined) {
    checkRuleLimits(file, action, level, [...path, 'connection_pools'], findings);
  }
}
