import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { text as textOf } from 'node:stream/consumers';
import { isObject, messageOf } from '@palisade/domain';
import { isMap, isScalar, LineCounter, parseAllDocuments, visit, type Document } from 'yaml';
import { UsageError, unreadable } from '../command/command.errors.js';
import { checkSchema, type Path } from './check-schema.js';
import { idOf, KINDS, readOnlyFieldsOf, schemaOf, settable, type Body, type Kind } from './kinds.js';

const MAX_FILE_BYTES = 64 * 2 ** 20;
const MAX_ALIASES = 100;
const EXTENSION = /\.(ya?ml|json)$/i;
const STANDARD_INPUT = '-';

/** An object as a file describes it. */
export interface Manifest {
  readonly kind: Kind;
  readonly id: string;
  readonly body: Body;
  /** `file:line`. */
  readonly place: string;
}

export interface Manifests {
  readonly manifests: readonly Manifest[];
  /** Everything that is wrong, each beginning with `file:line: `. */
  readonly problems: readonly string[];
}

/** The objects that files describe; of a folder, those of all files in it whose names end with .yaml, .yml or .json. */
export async function readManifests(paths: readonly string[]): Promise<Manifests> {
  const manifests = new Map<string, Manifest>();
  const problems: string[] = [];
  for (const file of paths.flatMap(filesOf)) {
    for (const read of readFile(file, await readText(file))) {
      if (typeof read === 'string') {
        problems.push(read);
        continue;
      }
      const name = `${read.kind.name} ${read.id}`;
      const first = manifests.get(name);
      if (first === undefined) {
        manifests.set(name, read);
      } else {
        problems.push(`${read.place}: ${name} is described at ${first.place} already`);
      }
    }
  }
  return { manifests: [...manifests.values()], problems };
}

function filesOf(path: string): string[] {
  if (path === STANDARD_INPUT) {
    return [path];
  }
  try {
    if (!statSync(path).isDirectory()) {
      return [path];
    }
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => EXTENSION.test(name));
    return names.toSorted().map((name) => join(path, name));
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The objects of a file; a text is a problem. */
function* readFile(file: string, text: string): Generator<Manifest | string> {
  const lines = new LineCounter();
  let documents: Document.Parsed[];
  try {
    // Repeated keys are found below, as the library compares each with all others.
    documents = [...parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })];
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
    yield `${file}:1: it is nested too deeply`;
    return;
  }
  const at = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  for (const document of documents) {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) {
      // What follows the first fault of a document is mostly its consequence.
      const isDeep = fault.message.startsWith('Maximum call stack');
      yield `${at(fault.pos[0])}: ${isDeep ? 'it is nested too deeply' : fault.message}`;
    } else if (document.contents !== null && !(isScalar(document.contents) && document.contents.value === null)) {
      yield* readDocument(document, at);
    }
  }
}

function* readDocument(document: Document.Parsed, at: (offset: number) => string): Generator<Manifest | string> {
  const start = document.contents?.range[0] ?? 0;
  const repeated = repeatedKeys(document);
  if (repeated.length > 0) {
    yield* repeated.map(({ key, offset }) => `${at(offset)}: "${key}" is there twice`);
    return;
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    yield `${at(start)}: ${messageOf(error)}`;
    return;
  }
  if (!isObject(value)) {
    yield `${at(start)}: expected an object with the field "kind"`;
    return;
  }
  const { kind: name, ...fields } = value;
  const kind = KINDS.find((each) => each.name === name);
  if (kind === undefined) {
    yield `${at(offsetOf(document, ['kind']) ?? start)}: kind: expected one of ${KINDS.map((each) => each.name).join(', ')}`;
    return;
  }
  const ignored = new Set(readOnlyFieldsOf(kind));
  const given = Object.fromEntries(Object.entries(fields).filter(([field]) => !ignored.has(field)));
  const problems = [...checkSchema(given, schemaOf(kind))];
  if (problems.length > 0) {
    yield* problems.map(({ path, text }) => `${at(offsetOf(document, path) ?? start)}: ${nameOf(path)}${text}`);
    return;
  }
  const body = settable(kind, given);
  const place = at(start);
  const missing = kind.key.filter((field) => body[field] === undefined);
  const hasNothing = kind.name === 'tenant' && (body['namespace_patterns'] as readonly string[]).length === 0;
  if (missing.length > 0 || hasNothing) {
    yield `${place}: ${missing[0] ?? 'namespace_patterns'} is missing`;
    return;
  }
  yield { kind, id: idOf(kind, body), body, place };
}

function repeatedKeys(document: Document.Parsed): { readonly key: string; readonly offset: number }[] {
  const repeated: { readonly key: string; readonly offset: number }[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (isScalar(key) && seen.has(key.value)) {
          repeated.push({ key: String(key.value), offset: key.range?.[0] ?? 0 });
        }
        seen.add(isScalar(key) ? key.value : key);
      }
    },
  });
  return repeated;
}

/** Where a value begins, or the nearest one around it that the document has; a field begins with its name. */
function offsetOf(document: Document.Parsed, path: Path): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === path[length - 1])
      : undefined;
    const node = isScalar(pair?.key) ? pair.key : document.getIn(path.slice(0, length), true);
    const range = (node as { readonly range?: readonly number[] | null } | undefined)?.range;
    if (range) {
      return range[0];
    }
  }
  return undefined;
}

function nameOf(path: Path): string {
  return path.length === 0 ? '' : `${path.join('.')}: `;
}

async function readText(file: string): Promise<string> {
  try {
    if (file === STANDARD_INPUT) {
      return await textOf(process.stdin);
    }
    if (statSync(file).size > MAX_FILE_BYTES) {
      throw new UsageError(`${file} has more than ${MAX_FILE_BYTES} bytes`);
    }
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}
