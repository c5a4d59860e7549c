import { ISOLATION_LEVEL } from '../dto/deployment.dto.js';
import { closestName } from '@palisade/domain';
import type { Findings } from '../findings/findings.js';
import type { Path } from '../findings/path.js';
import { resolveDefaultPool, resolvePools } from '../mapping/resolve-pools.js';
import type { Check } from './check.js';

/** There are pools, and each has one isolation level. */
export const checkPools: Check = (file, findings) => {
  const { deployment, proxy, proxy_pools: pools, isolation_level: level } = file;
  if (deployment.model !== 'single_tenant' && pools.size === 0 && findings.isSound(['deployment', 'model'])) {
    findings.problem(['proxy_pools'], `expected one pool at least in ${deployment.model}, found none`);
  }
  if (level !== undefined && proxy.isolation_level !== undefined && level !== proxy.isolation_level) {
    findings.problem(
      ['proxy', 'isolation_level'],
      `expected ${level} as isolation_level of the file says, found "${proxy.isolation_level}"`,
    );
  }
  if (!findings.isSound(['isolation_level']) || !findings.isSound(['proxy'])) {
    return;
  }
  for (const { isolationLevel, levelPath } of resolvePools(file).values()) {
    if (isolationLevel === undefined && findings.isSound(levelPath)) {
      findings.expected(levelPath, ISOLATION_LEVEL.expected, undefined);
    }
  }
};

/** What is routed to by default exists. */
export const checkDefaultPool: Check = (file, findings) => {
  const { model } = file.deployment;
  if (file.default_pool !== undefined) {
    checkPoolExists(new Set(resolvePools(file).keys()), file.default_pool, ['default_pool'], findings);
  } else if (model === 'single_tenant' && findings.isSound([]) && resolveDefaultPool(file) === undefined) {
    findings.problem(['default_pool'], 'expected the name of a pool, as there are several, found nothing');
  }
};

/** Says which pool was probably meant. Asks nothing when the pools are not known. */
export function checkPoolExists(pools: ReadonlySet<string>, name: string, path: Path, findings: Findings): void {
  if (pools.has(name) || !findings.hasForm(['proxy_pools']) || !findings.isSound(['deployment', 'model'])) {
    return;
  }
  const meant = closestName(name, pools);
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
  findings.problem(path, `expected a pool of proxy_pools, found "${name}"${advice}`);
}
