import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Alias,
  type ErrorCode,
  type Node,
  type Pair,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import type { Path, Problem } from '@palisade/isolation/settings';
import type { Position } from './findings.js';

const MAX_SYNTAX_PROBLEMS = 20;

export interface YamlFile {
  readonly value: unknown;
  /** What is YAML, but cannot be a part of plain data; it is absent from the value. */
  readonly problems: readonly Problem[];
  /** Where the key or item at the end of the path stands, or else the closest that contains it. */
  readonly locate: (path: Path) => Position | undefined;
}

/** A mistake that leaves nothing to check. */
export interface SyntaxProblem {
  readonly position: Position;
  readonly text: string;
}

/** Better words for what yaml says to programmers. */
const TEXTS: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: 'expected one document, found another one',
  RESOURCE_EXHAUSTION: 'nested too deeply',
};

/**
 * Reads YAML 1.2: text, numbers, booleans, lists and maps with text as keys; no merge keys, no tags of others, bounded in
 * depth, aliases and size.
 */
export function readYaml(text: string): YamlFile | readonly SyntaxProblem[] {
  const lines = new LineCounter();
  // Unique keys are left to the reader: yaml compares each key with all the others.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    stringKeys: false,
    version: '1.2',
  });
  const positionOf = (offset: number): Position => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    return faults.slice(0, MAX_SYNTAX_PROBLEMS).map((fault) => explain(fault, positionOf));
  }
  const reader = new NodeReader();
  return {
    value: reader.read(document.contents),
    problems: reader.problems,
    locate: (path) => reader.locate(document.contents, path, positionOf),
  };
}

function explain({ code, message, pos }: YAMLError, positionOf: (offset: number) => Position): SyntaxProblem {
  // Some messages end with what was found, which may be a secret in the wrong place.
  const [said] = message.split(/ token in YAML stream|: "/);
  return { position: positionOf(pos[0]), text: `not YAML: ${TEXTS[code] ?? said}` };
}

const MAX_DEPTH = 16;
const MAX_ALIASES = 100;
/** Those that aliases repeat included. */
const MAX_NODES = 1_000_000;

const MAX_KEYS = 20_000;

/** As keys they would reach into what all objects inherit. */
const INHERITED = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** Makes plain data of YAML's nodes; what cannot be a part of it is a problem. */
class NodeReader {
  readonly #anchors = new Map<string, Node>();
  readonly #targets = new Map<Alias, Node>();
  /** Nodes being read, to recognise those that contain themselves. */
  readonly #open = new Set<Node>();
  #aliases = 0;
  #nodes = 0;

  readonly problems: Problem[] = [];

  read(node: unknown, path: Path = []): unknown {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) {
      return this.#report([], `expected at most ${MAX_NODES} values, those repeated by aliases included`);
    }
    if (isAlias(node)) {
      return this.#readAlias(node, path);
    }
    if (isScalar(node)) {
      return this.#readScalar(this.#anchored(node).value, path);
    }
    if (!isMap(node) && !isSeq(node)) {
      return null;
    }
    if (path.length >= MAX_DEPTH) {
      return this.#report(path, `expected at most ${MAX_DEPTH} levels`);
    }
    this.#open.add(this.#anchored(node));
    const value = isMap(node)
      ? this.#readMap(node, path)
      : node.items.map((item, index) => this.read(item, [...path, index]));
    this.#open.delete(node);
    return value;
  }

  /** Where the key or item at the end of the path stands, or else the closest that contains it. */
  locate(root: unknown, path: Path, positionOf: (offset: number) => Position): Position | undefined {
    let node: unknown = root;
    let offset: number | undefined;
    for (const part of path) {
      const container: unknown = isAlias(node) ? this.#targets.get(node) : node;
      const pair: Pair | undefined = isMap(container)
        ? container.items.find(({ key }) => keyText(key) === part)
        : undefined;
      const item: unknown = isSeq(container) && typeof part === 'number' ? container.items[part] : pair?.value;
      const start = startOf(pair?.key ?? item);
      if (start === undefined) {
        break;
      }
      offset = start;
      node = item;
    }
    return offset === undefined ? undefined : positionOf(offset);
  }

  #readAlias(alias: Alias, path: Path): unknown {
    this.#aliases += 1;
    const target = this.#anchors.get(alias.source);
    if (this.#aliases > MAX_ALIASES) {
      return this.#report(path, `expected at most ${MAX_ALIASES} uses of aliases`);
    }
    if (target === undefined || this.#open.has(target)) {
      return this.#report(path, 'expected the alias of an anchor before it that does not contain it');
    }
    this.#targets.set(alias, target);
    return this.read(target, path);
  }

  #readScalar(value: unknown, path: Path): unknown {
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) {
      return value;
    }
    return this.#report(path, 'expected a text, a number, true or false, a list or an object');
  }

  #readMap(map: YAMLMap, path: Path): Record<string, unknown> {
    const entries: Record<string, unknown> = {};
    if (map.items.length > MAX_KEYS) {
      this.#report(path, `expected at most ${MAX_KEYS} keys, found ${map.items.length}`);
      return entries;
    }
    for (const { key, value } of map.items) {
      const name = keyText(key);
      if (name === undefined) {
        this.#report(path, 'expected texts as keys');
      } else if (INHERITED.has(name)) {
        this.#report([...path, name], 'expected another name, as every object has this one');
      } else if (name === '<<') {
        this.#report(
          [...path, name],
          'merge keys belong to YAML 1.1; write the keys out, or use an alias for the value',
        );
      } else if (Object.hasOwn(entries, name)) {
        this.#report([...path, name], 'expected once, found twice');
      } else {
        const data = this.read(value, [...path, name]);
        // What was refused is absent, so that it has its default.
        if (data !== undefined) {
          entries[name] = data;
        }
      }
    }
    return entries;
  }

  #anchored<N extends Node & { readonly anchor?: string }>(node: N): N {
    if (node.anchor !== undefined) {
      this.#anchors.set(node.anchor, node);
    }
    return node;
  }

  #report(path: Path, text: string): undefined {
    this.problems.push({ path, text });
  }
}

/** Numbers and booleans as keys are texts, as they are in JSON. */
function keyText(key: unknown): string | undefined {
  if (!isScalar(key) || typeof key.value === 'object') {
    return undefined;
  }
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}
