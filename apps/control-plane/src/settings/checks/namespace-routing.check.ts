import { MAX_WILDCARD_PATTERNS, patternShape, type NamespacePattern } from '@palisade/domain';
import type { ControlPlaneFile } from '../dto/control-plane-file.js';
import type { Findings } from '../findings/findings.js';
import { read } from '../kinds/kind.js';
import { NAMESPACE_PATTERN } from '../kinds/names.js';
import { resolvePools } from '../mapping/resolve-pools.js';
import type { Check } from './check.js';
import { checkPoolExists } from './pools.check.js';

/** Entries name pools that exist, each of them once for one pattern. Patterns may overlap: the most exact one wins. */
export const checkNamespaceRouting: Check = (file, findings) => {
  const pools = new Set(resolvePools(file).keys());
  const poolsByPattern = new Map<NamespacePattern, Map<string, number>>();
  let wildcards = 0;
  for (const [index, { pool, pattern }] of soundRoutes(file, findings)) {
    checkPoolExists(pools, pool, ['namespace_routing', index, 'pool'], findings);
    const known = poolsByPattern.get(pattern) ?? new Map<string, number>();
    const first = known.get(pool);
    if (first !== undefined) {
      const text = `expected another pool: namespace_routing[${first}] sends "${pattern}" to ${pool} already`;
      findings.problem(['namespace_routing', index, 'pool'], text);
    } else if (known.size === 0 && patternShape(pattern) === 'wildcard') {
      wildcards += 1;
    }
    poolsByPattern.set(pattern, known.set(pool, first ?? index));
  }
  if (wildcards > MAX_WILDCARD_PATTERNS) {
    const text = `expected at most ${MAX_WILDCARD_PATTERNS} patterns that are neither a name nor a prefix with "*" at its end, found ${wildcards}`;
    findings.problem(['namespace_routing'], text);
  }
};

function* soundRoutes(
  { namespace_routing: routes }: ControlPlaneFile,
  findings: Findings,
): Generator<[number, { readonly pool: string; readonly pattern: NamespacePattern }]> {
  const isSound = findings.isSound(['namespace_routing']);
  for (const [index, { namespace, pool }] of routes.entries()) {
    if (isSound || findings.isSound(['namespace_routing', index])) {
      yield [index, { pool, pattern: read(NAMESPACE_PATTERN, namespace) }];
    }
  }
}
