import {
  InvalidIdentifierError,
  parseNamespacePattern,
  unlessThrown,
  type NamespacePattern,
  type PoolName,
} from '@palisade/domain';
import { expectedText, POOL_NAME, type Problem } from '@palisade/isolation/settings';
import { ROUTE_WEIGHT, type NamespaceRoute } from './schema/routing.js';
import { readTextFile, UnreadableFileError } from './text-file.js';

/** A million routes take 40 MiB. */
const MAX_FILE_BYTES = 64 * 2 ** 20;
const MAX_ROUTES = 1_000_000;

export interface FileRoute extends NamespaceRoute {
  readonly line: number;
}

export interface RoutingFile {
  readonly routes: readonly FileRoute[];
  /** Each at the path of the key, followed by the number of the line. */
  readonly problems: readonly Problem[];
}

const KEY = 'namespace_routing_file';
const FORM = 'a pattern, a pool and optionally a weight, separated by blanks';

/**
 * Reads routes of namespaces from a file of lines, each of which is `<pattern> <pool> [<weight>]`. Blank lines, and what
 * follows a `#`, are skipped. 100,000 lines take about a sixth of a second.
 */
export function readRoutingFile(path: string | undefined): RoutingFile {
  try {
    return parseRoutes(path === undefined ? '' : readTextFile(path, MAX_FILE_BYTES));
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      return { routes: [], problems: [{ path: [KEY], text: error.message }] };
    }
    throw error;
  }
}

function parseRoutes(text: string): RoutingFile {
  const routes: FileRoute[] = [];
  const problems: Problem[] = [];
  // Few pools have many routes.
  const pools = new Map<string, PoolName | undefined>();
  let line = 0;
  for (const content of text.split('\n')) {
    line += 1;
    const [entry = ''] = content.split('#', 1);
    const [pattern = '', pool = '', weight = '1', ...more] = entry.trim().split(/[ \t]+/);
    if (pattern === '') {
      continue;
    }
    if (!pools.has(pool)) {
      pools.set(pool, POOL_NAME.safeParse(pool).data);
    }
    const route = { pattern: readPattern(pattern), pool: pools.get(pool), weight: readWeight(weight), line };
    if (more.length > 0 || !isComplete(route)) {
      problems.push({ path: [KEY, line], text: expectedText(FORM, entry.trim()) });
    } else if (routes.length >= MAX_ROUTES) {
      problems.push({ path: [KEY, line], text: `expected at most ${MAX_ROUTES} routes` });
      break;
    } else {
      routes.push(route);
    }
  }
  return { routes, problems };
}

function isComplete(route: { readonly [K in keyof FileRoute]: FileRoute[K] | undefined }): route is FileRoute {
  return route.pattern !== undefined && route.pool !== undefined && route.weight !== undefined;
}

function readPattern(text: string): NamespacePattern | undefined {
  return unlessThrown(InvalidIdentifierError, () => parseNamespacePattern(text));
}

function readWeight(text: string): number | undefined {
  return text === '1' ? 1 : ROUTE_WEIGHT.safeParse(/^\d{1,4}$/.test(text) ? Number(text) : undefined).data;
}
