import { LineCounter, parseDocument, type Document, type ErrorCode, type YAMLError } from 'yaml';
import type { Findings } from '../findings/findings.js';
import type { Path } from '../findings/path.js';
import { NodeReader } from './node-reader.js';
import { extractPlainRoutes, isPlaceholder, type PlainRoutes } from './plain-routes.js';
import type { Position } from './position.js';

/** So much may a file hold besides plain routes: YAML costs about 1 µs and 300 bytes of memory for each character. */
export const MAX_YAML_LENGTH = 2 ** 20;
/** Shorter texts are read as YAML as a whole. */
const MIN_LENGTH_FOR_PLAIN_ROUTES = 65_536;
const MAX_SYNTAX_PROBLEMS = 20;

export interface YamlFile {
  readonly value: unknown;
  /** Where the key or item at the end of the path stands, or else the closest that contains it. */
  readonly locate: (path: Path) => Position | undefined;
}

/** A mistake that leaves nothing to check. */
export interface SyntaxProblem {
  readonly position?: Position;
  readonly text: string;
}

/** Better words for what yaml says to programmers. */
const TEXTS: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: 'expected one document, found another one',
  RESOURCE_EXHAUSTION: 'nested too deeply',
};

/**
 * Reads YAML 1.2: text, numbers, booleans, lists and maps with text as keys; no merge keys, no tags of others, bounded in
 * depth, aliases and size. A long list of plain routes is read faster than as YAML, with the same result.
 */
export function readYaml(text: string, findings: Findings, longListKey?: string): YamlFile | readonly SyntaxProblem[] {
  const routes =
    longListKey === undefined || text.length < MIN_LENGTH_FOR_PLAIN_ROUTES
      ? undefined
      : extractPlainRoutes(text, longListKey);
  if (routes?.rest !== undefined && routes.rest.length <= MAX_YAML_LENGTH) {
    const parsed = parse(routes.rest);
    if (isPlaceholder(parsed.document, routes)) {
      return complete(parsed, findings, routes);
    }
  }
  if (text.length > MAX_YAML_LENGTH) {
    const hint =
      routes?.irregularLine === undefined ? '' : `; line ${routes.irregularLine} is the first that is not plain`;
    const size = `${MAX_YAML_LENGTH / 2 ** 20} MiB besides ${longListKey ?? 'its'} entries in plain form`;
    return [{ text: `expected at most ${size}, found ${(text.length / 2 ** 20).toFixed(1)} MiB in all${hint}` }];
  }
  return complete(parse(text), findings);
}

interface Parsed {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

function parse(text: string): Parsed {
  const lines = new LineCounter();
  // Unique keys are left to the reader: yaml compares each key with all the others.
  const options = {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    stringKeys: false,
    version: '1.2',
  } as const;
  return { document: parseDocument(text, options), lines };
}

function complete(
  { document, lines }: Parsed,
  findings: Findings,
  routes?: PlainRoutes,
): YamlFile | readonly SyntaxProblem[] {
  const positionOf = (offset: number): Position => {
    const { line, col: column } = lines.linePos(offset);
    return { line: routes !== undefined && line > routes.headerLine ? line + routes.removedLines : line, column };
  };
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    return faults.slice(0, MAX_SYNTAX_PROBLEMS).map((fault) => explain(fault, positionOf));
  }
  const reader = new NodeReader(findings);
  const value = reader.read(document.contents);
  return {
    value: routes === undefined ? value : withRoutes(value, routes),
    locate: (path) => routes?.locate(path) ?? reader.locate(document.contents, path, positionOf),
  };
}

function withRoutes(value: unknown, { key, entries }: PlainRoutes): unknown {
  return typeof value === 'object' ? { ...value, [key]: entries } : value;
}

function explain({ code, message, pos }: YAMLError, positionOf: (offset: number) => Position): SyntaxProblem {
  // Some messages end with what was found, which may be a secret in the wrong place.
  const [said] = message.split(/ token in YAML stream|: "/);
  return { position: positionOf(pos[0]), text: `not YAML: ${TEXTS[code] ?? said}` };
}
