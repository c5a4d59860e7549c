import { closestName, isObject, redactText } from '@palisade/domain';
import { z } from 'zod';
import { keysOf, maxItemsOf, sectionsOf, structureOf, valueNotes, withoutWrappers } from './schema.js';

/** From the root: keys of objects and indices of lists. */
export type Path = readonly (string | number)[];

/** What is wrong at a path, for people: it says what was expected and what was found. */
export interface Problem {
  readonly path: Path;
  readonly text: string;
}

/** What a schema makes of a value; without a value there are problems. */
export function readValue<T>(
  schema: z.ZodType<T>,
  input: unknown,
): { readonly value?: T; readonly problems: readonly Problem[] } {
  const hidden = findHiddenKey(input);
  if (hidden !== undefined) {
    return { problems: [{ path: hidden, text: 'unknown key' }] };
  }
  const { data, error } = schema.safeParse(input);
  return error === undefined
    ? { value: data, problems: [] }
    : { problems: [...describeIssues(schema, input, error.issues)] };
}

/** Deeper than any schema. */
const MAX_DEPTH = 16;

/** JSON can have keys that objects take for their prototype; zod does not see them. */
function findHiddenKey(value: unknown, path: Path = []): Path | undefined {
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) {
    return undefined;
  }
  if (Object.hasOwn(value, '__proto__')) {
    return [...path, '__proto__'];
  }
  for (const [name, each] of Object.entries(value)) {
    if (typeof each === 'object') {
      const found = findHiddenKey(each, [...path, Array.isArray(value) ? Number(name) : name]);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

/**
 * What zod found, in the words of the schema. Of several issues with one value only the first is told, as the others
 * follow from it.
 */
export function* describeIssues(
  root: z.core.$ZodType,
  input: unknown,
  issues: readonly z.core.$ZodIssue[],
): Generator<Problem> {
  for (const issue of issues) {
    const path = issue.path as Path;
    if (issue.code === 'unrecognized_keys') {
      const known = Object.keys(keysGiven(schemaAt(root, path, input).schema, valueAt(input, path)));
      for (const name of issue.keys) {
        yield { path: [...path, name], text: `unknown key${advise(name, known, root, formatPath(path))}` };
      }
    } else if (issue.code === 'invalid_key') {
      const record = structureOf(schemaAt(root, path.slice(0, -1), input).schema);
      const names = record instanceof z.ZodRecord ? valueNotes(record.def.keyType)?.expected : undefined;
      yield { path, text: `expected ${names ?? 'another name'} as the key` };
    } else {
      yield describeValue(schemaAt(root, path, input), input);
    }
  }
}

/** `expected …, found …`. */
export function expectedText(expected: string, found: unknown, explanation?: string): string {
  return `expected ${expected}, found ${showValue(found)}${explanation === undefined ? '' : `; ${explanation}`}`;
}

export function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) {
      return value[Number(part)];
    }
    return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }, input);
}

interface Place {
  readonly schema: z.core.$ZodType;
  readonly path: Path;
}

/** The schema of the value at a path, or of the value that contains it and is described as a whole. */
function schemaAt(root: z.core.$ZodType, path: Path, input: unknown): Place {
  let schema = root;
  for (const [depth, part] of path.entries()) {
    const at = path.slice(0, depth);
    if (valueNotes(withoutWrappers(schema)) !== undefined) {
      return { schema, path: at };
    }
    const next = partOf(schema, part, valueAt(input, at));
    if (next === undefined) {
      return { schema, path: at };
    }
    schema = next;
  }
  return { schema, path };
}

function partOf(schema: z.core.$ZodType, part: string | number, value: unknown): z.core.$ZodType | undefined {
  const structure = structureOf(schema);
  if (structure instanceof z.ZodArray) {
    return structure.def.element;
  }
  if (structure instanceof z.ZodRecord) {
    return structure.def.valueType;
  }
  const keys = keysGiven(structure, value);
  return Object.hasOwn(keys, part) ? keys[part] : structure instanceof z.ZodObject ? structure.def.catchall : undefined;
}

/** The keys of a section; of several variants, those of the one that the value says it is. */
function keysGiven(schema: z.core.$ZodType, value: unknown): Readonly<Record<string, z.core.$ZodType>> {
  const structure = structureOf(schema);
  if (!(structure instanceof z.ZodDiscriminatedUnion)) {
    return keysOf(structure);
  }
  const { options, discriminator } = structure.def;
  const variants = options.map(keysOf);
  const given = isObject(value) ? value[discriminator] : undefined;
  const chosen = variants.find(({ [discriminator]: key }) => key !== undefined && z.safeParse(key, given).success);
  return chosen ?? variants[0] ?? {};
}

function describeValue({ schema, path }: Place, input: unknown): Problem {
  const found = valueAt(input, path);
  const notes = valueNotes(withoutWrappers(schema));
  if (notes?.isSecret && found !== undefined && found !== null) {
    return { path, text: `expected ${notes.expected}; what was found is not shown, as it may be a secret` };
  }
  if (notes !== undefined) {
    return { path, text: expectedText(notes.expected, found, notes.explain?.(found)) };
  }
  const structure = structureOf(schema);
  const max = maxItemsOf(structure);
  if (structure instanceof z.ZodArray) {
    return { path, text: expectedText(`a list of up to ${max}`, Array.isArray(found) ? found.length : found) };
  }
  return isObject(found) && max !== undefined
    ? { path, text: expectedText(`up to ${max} names`, Object.keys(found).length) }
    : { path, text: expectedText('an object', found) };
}

function advise(name: string, known: readonly string[], root: z.core.$ZodType, own: string): string {
  const meant = closestName(name, known);
  if (meant !== undefined) {
    return `, did you mean ${meant}?`;
  }
  const sections = [...sectionsOf(root)].filter(([section]) => Object.hasOwn(keysOf(section), name));
  const places = [...new Set(sections.map(([, path]) => path))];
  if (places.includes(own)) {
    return '; it belongs to another type';
  }
  if (places.includes('')) {
    return '; it belongs to the top level of the file';
  }
  return places.length === 0 || places.length > MAX_PLACES ? '' : `; it belongs to ${places.join(', ')}`;
}

const MAX_PLACES = 4;

const MAX_SHOWN_LENGTH = 80;

/** What stands after "found" in a problem: short, on one line, fit for a terminal, without credentials of addresses. */
export function showValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return showText(value);
    case 'undefined':
      return 'nothing';
    case 'object':
      return value === null ? 'nothing' : Array.isArray(value) ? 'a list' : 'an object';
    default:
      return String(value);
  }
}

/** A text in quotes; what cannot be seen, or would act on a terminal, is escaped. */
export function showText(text: string): string {
  const redacted = redactText(text)
    .replaceAll(/:\/\/[^\s/@]*@/g, '://[redacted]@')
    .replaceAll(/[^\s:/@[\]]+:[^\s/@]+@/g, '[redacted]@');
  const shown = redacted.length > MAX_SHOWN_LENGTH ? `${redacted.slice(0, MAX_SHOWN_LENGTH - 1)}…` : redacted;
  return JSON.stringify(shown.toWellFormed()).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const PLAIN_KEY = /^[\w-]{1,80}$/;

/** `proxy_pools.premium.replicas`, `namespace_routing[3].pool`, `proxy_pools["two\nlines"]`; fit for a terminal. */
export function formatPath(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') {
        return `[${part}]`;
      }
      if (!PLAIN_KEY.test(part)) {
        return `[${showText(part)}]`;
      }
      return index === 0 ? part : `.${part}`;
    })
    .join('');
}

export function formatProblem({ path, text }: Problem): string {
  return path.length === 0 ? text : `${formatPath(path)}: ${text}`;
}
