import { parseNamespacePattern, parsePoolName, parseProxyId, patternShape, literalPrefix } from '@palisade/domain';
import type { DesiredServer, DesiredState, Destination } from '../../../src/routing/table/desired-state.js';

/** A pool by its name, a split by names and weights. */
export type DestinationText = string | Readonly<Record<string, number>>;

export interface StateText {
  readonly revision?: number;
  readonly pools?: Readonly<Record<string, readonly DesiredServer[]>>;
  /** By pattern, of any shape. */
  readonly routes?: Readonly<Record<string, DestinationText>>;
  readonly fallback?: DestinationText;
}

export function desiredState({ revision = 1, pools = {}, routes = {}, fallback }: StateText): DesiredState {
  const exact = new Map<string, Destination>();
  const prefixes = new Map<string, Destination>();
  const wildcards: Map<ReturnType<typeof parseNamespacePattern>, Destination> = new Map();
  for (const [text, destination] of Object.entries(routes)) {
    const pattern = parseNamespacePattern(text);
    const shape = patternShape(pattern);
    if (shape === 'wildcard') {
      wildcards.set(pattern, toDestination(destination));
    } else {
      (shape === 'exact' ? exact : prefixes).set(literalPrefix(pattern), toDestination(destination));
    }
  }
  return {
    revision,
    pools: Object.entries(pools)
      .map(([name, servers]) => ({ name: parsePoolName(name), servers }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    exact,
    prefixes,
    wildcards,
    fallback: fallback === undefined ? undefined : toDestination(fallback),
  };
}

export function toDestination(text: DestinationText): Destination {
  return typeof text === 'string'
    ? parsePoolName(text)
    : { parts: Object.entries(text).map(([pool, weight]) => ({ pool: parsePoolName(pool), weight })) };
}

export function desiredServer(id: string, port: number, overrides: Partial<DesiredServer> = {}): DesiredServer {
  return { id: parseProxyId(id), host: '127.0.0.1', port, weight: 1, state: 'up', ...overrides };
}
