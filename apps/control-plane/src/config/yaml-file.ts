import type { Path, Problem } from '@palisade/isolation/settings';
import {
  boolCoreTag,
  EVENT_ID,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
  type Event,
} from 'js-yaml';
import type { Position } from './file-report.js';

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

const MAX_DEPTH = 16;
const MAX_ALIASES = 100;
const MAX_KEYS = 20_000;

/** Clearer words for what the parser says. */
const TEXTS: Readonly<Record<string, string>> = {
  [`nesting exceeded maxDepth (${MAX_DEPTH})`]: `expected at most ${MAX_DEPTH} levels`,
  'bad indentation of a mapping entry': 'wrong indentation, or a text that needs quotes',
  'end of the stream or a document separator is expected': 'wrong indentation, or an entry after the end of a value',
};

/**
 * Reads YAML 1.2: text, numbers, booleans, lists and maps with text as keys. Merge keys and tags are problems; depth,
 * aliases and the number of keys are bounded.
 */
export function readYaml(text: string): YamlFile | SyntaxProblem {
  try {
    const reader = new EventReader(text, parseEvents(text, { maxDepth: MAX_DEPTH }));
    const root = reader.readDocument();
    return { value: root.value, problems: reader.problems, locate: (path) => locate(text, root, path) };
  } catch (error) {
    if (!(error instanceof YAMLException)) {
      throw error;
    }
    // The message quotes the file, which may hold a secret in the wrong place; the reason does not.
    const { reason, mark: { line, column } = { line: 0, column: 0 } } = error;
    return { position: { line: line + 1, column: column + 1 }, text: `not YAML: ${TEXTS[reason] ?? reason}` };
  }
}

interface Node {
  readonly value: unknown;
  readonly children?: ReadonlyMap<string | number, Child>;
}

interface Child {
  /** Offset of the key, or of the item of a list; -1 for an item that is empty. */
  readonly start: number;
  readonly node: Node;
}

function locate(source: string, root: Node, path: Path): Position | undefined {
  let [node, start] = [root, -1];
  for (const part of path) {
    const child = node.children?.get(part);
    if (child === undefined || child.start < 0) {
      break;
    }
    ({ node, start } = child);
  }
  const lines = source.slice(0, start).split('\n');
  return start < 0 ? undefined : { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Makes plain data of the parser's events. What cannot be a part of it is a problem. */
class EventReader {
  readonly problems: Problem[] = [];
  /** By anchor, with the number of uses of aliases in the node. */
  readonly #anchors = new Map<string, { readonly node: Node; readonly aliases: number }>();
  #aliases = 0;
  #next = 0;

  constructor(
    private readonly source: string,
    private readonly events: readonly Event[],
  ) {}

  readDocument(): Node {
    const document = this.#take();
    if (document?.type !== EVENT_ID.DOCUMENT) {
      return { value: null };
    }
    if (document.directives.some((each) => each.kind === 'yaml' && each.version !== '1.2')) {
      YAMLException.throwAt(this.source, 0, 'expected version 1.2');
    }
    const root = this.#read([]);
    this.#take();
    if (this.#take() !== undefined) {
      YAMLException.throwAt(this.source, startOf(this.#take()), 'expected one document, found another one');
    }
    return root;
  }

  #read(path: Path): Node {
    const event = this.#take();
    if (event?.type === EVENT_ID.ALIAS) {
      return this.#readAlias(this.source.slice(event.anchorStart, event.anchorEnd), path);
    }
    if (event === undefined || !('tagStart' in event)) {
      return { value: null };
    }
    const aliasesBefore = this.#aliases;
    const node = this.#readNode(event, path);
    if (event.anchorStart >= 0) {
      const name = this.source.slice(event.anchorStart, event.anchorEnd);
      this.#anchors.set(name, { node, aliases: this.#aliases - aliasesBefore });
    }
    const tag = this.source.slice(event.tagStart, event.tagEnd);
    return event.tagStart < 0 ? node : this.#report(path, `expected a value without the tag ${tag}`);
  }

  #readAlias(name: string, path: Path): Node {
    const target = this.#anchors.get(name);
    this.#aliases += 1 + (target?.aliases ?? 0);
    if (this.#aliases > MAX_ALIASES) {
      return this.#report(path, `expected at most ${MAX_ALIASES} uses of aliases`);
    }
    return target?.node ?? this.#report(path, 'expected the alias of an anchor before it that does not contain it');
  }

  #readNode(event: Event, path: Path): Node {
    switch (event.type) {
      case EVENT_ID.SEQUENCE: {
        const children = this.#readItems(path);
        return { value: Array.from(children.values(), ({ node }) => node.value), children };
      }
      case EVENT_ID.MAPPING: {
        const children = this.#readEntries(path);
        // What was reported is absent, so that it has its default.
        const given = [...children].filter(([, { node }]) => node.value !== undefined);
        return { value: Object.fromEntries(given.map(([name, { node }]) => [name, node.value])), children };
      }
      default:
        return { value: this.#valueOf(event) };
    }
  }

  #readItems(path: Path): ReadonlyMap<number, Child> {
    const items = new Map<number, Child>();
    while (!this.#isAtEnd()) {
      items.set(items.size, { start: startOf(this.events[this.#next]), node: this.#read([...path, items.size]) });
    }
    return items;
  }

  #readEntries(path: Path): ReadonlyMap<string, Child> {
    const entries = new Map<string, Child>();
    while (!this.#isAtEnd()) {
      const key = this.events[this.#next];
      const name = this.#keyOf(key);
      this.#read(path);
      const at = name === undefined ? path : [...path, name];
      const fault = findFault(name, entries);
      const node = this.#read(at);
      if (fault !== undefined) {
        this.#report(at, fault);
      }
      if (name !== undefined && !entries.has(name)) {
        entries.set(name, { start: startOf(key), node: fault === undefined ? node : { value: undefined } });
      }
    }
    if (entries.size > MAX_KEYS) {
      this.#report(path, `expected at most ${MAX_KEYS} keys, found ${entries.size}`);
      entries.clear();
    }
    return entries;
  }

  /** Numbers and booleans as keys are texts, as they are in JSON. */
  #keyOf(event: Event | undefined): string | undefined {
    return event?.type === EVENT_ID.SCALAR && this.#valueOf(event) !== null
      ? getScalarValue(this.source, event)
      : undefined;
  }

  #valueOf(event: Event): unknown {
    if (event.type !== EVENT_ID.SCALAR) {
      return null;
    }
    const text = getScalarValue(this.source, event);
    return event.style === SCALAR_STYLE.PLAIN ? resolvePlain(text) : text;
  }

  #take(): Event | undefined {
    this.#next += 1;
    return this.events[this.#next - 1];
  }

  #isAtEnd(): boolean {
    const isEnd = this.events[this.#next]?.type === EVENT_ID.POP;
    this.#next += Number(isEnd);
    return isEnd;
  }

  #report(path: Path, text: string): Node {
    this.problems.push({ path, text });
    return { value: undefined };
  }
}

function startOf(event: Event | undefined): number {
  if (event?.type === EVENT_ID.SCALAR) {
    const { style, valueStart } = event;
    const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
    return isQuoted ? valueStart - 1 : valueStart;
  }
  return event?.type === EVENT_ID.ALIAS ? event.anchorStart - 1 : event && 'start' in event ? event.start : -1;
}

const PLAIN_TAGS = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];

function resolvePlain(text: string): unknown {
  for (const tag of PLAIN_TAGS) {
    const value: unknown = tag.resolve(text, false, tag.tagName);
    if (value !== NOT_RESOLVED) {
      return value;
    }
  }
  return text;
}

/** As keys they would reach into what all objects inherit. */
const INHERITED = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

function findFault(key: string | undefined, entries: ReadonlyMap<string, unknown>): string | undefined {
  if (key === undefined) {
    return 'expected texts as keys';
  }
  if (INHERITED.has(key)) {
    return 'expected another name, as every object has this one';
  }
  if (key === '<<') {
    return 'merge keys belong to YAML 1.1; write the keys out, or use an alias for the value';
  }
  return entries.has(key) ? 'expected once, found twice' : undefined;
}
