import type { AttributeDefinition, Inclusion } from '@palisade/domain';
import { badRequest } from '../scim.errors.js';
import type { ResourceSchema } from '../schema/resource-schema.js';

const MAX_NAMES = 200;

/** What is returned of an attribute: everything, or of its sub-attributes those that have a rule. */
export type ProjectionRule = 'whole' | ProjectionRules;
export type ProjectionRules = ReadonlyMap<string, ProjectionRule>;

/** The parameters of RFC 7644 §3.9; an entry may hold several names with commas between them, as in a URL. */
export interface ProjectionParameters {
  readonly attributes?: readonly string[];
  readonly excludedAttributes?: readonly string[];
}

/** The names that a request gives: a whole attribute, or some of its sub-attributes. */
type NamedAttributes = Map<string, 'whole' | NamedAttributes>;

const defaults = new WeakMap<ResourceSchema, Projection>();

/** Which attributes an answer holds (RFC 7643 §7 "returned", RFC 7644 §3.9). */
export class Projection {
  /** What the store has to load for it. */
  readonly include: Inclusion;

  /** By canonical name; an attribute without a rule is not returned. */
  readonly rules: ProjectionRules;

  private constructor(
    private readonly schema: ResourceSchema,
    private readonly selection: Selection,
  ) {
    const { attributes } = schema;
    this.rules = compileRules(attributes, selection, selection.meaning === 'excluded');
    this.include = { groups: this.rules.has('groups'), members: this.rules.has('members') };
  }

  /** What is returned when nothing is asked for. */
  static all(schema: ResourceSchema): Projection {
    const known = defaults.get(schema);
    if (known !== undefined) {
      return known;
    }
    const created = new Projection(schema, { meaning: 'excluded', names: new Map() });
    defaults.set(schema, created);
    return created;
  }

  /**
   * RFC 7644 §3.9 says nothing of names that no schema defines: they select nothing. Names without any text count as not
   * given.
   *
   * @throws {ScimError} 400 invalidValue when both parameters are given, or more than 200 names
   */
  static parse(parameters: ProjectionParameters, schema: ResourceSchema): Projection {
    const attributes = splitNames(parameters.attributes, 'attributes');
    const excluded = splitNames(parameters.excludedAttributes, 'excludedAttributes');
    // RFC 7644 §3.9: "either of the mutually exclusive URL query parameters".
    if (attributes.length > 0 && excluded.length > 0) {
      throw badRequest('invalidValue', 'attributes: expected not to be given together with excludedAttributes');
    }
    if (attributes.length > 0) {
      return new Projection(schema, { meaning: 'named', names: resolveNames(attributes, schema) });
    }
    return excluded.length > 0
      ? new Projection(schema, { meaning: 'excluded', names: resolveNames(excluded, schema) })
      : Projection.all(schema);
  }

  /**
   * What is returned to a write that was about these paths. RFC 7643 §7: "request" is "returned in response to any PUT,
   * POST, or PATCH operations if the attribute was specified by the client". Names in the request still decide.
   */
  afterWriting(paths: Iterable<readonly string[]>): Projection {
    const { schema, selection } = this;
    if (selection.meaning === 'named' || !schema.attributes.some(isOrHasRequested)) {
      return this;
    }
    const written: NamedAttributes = new Map();
    for (const path of paths) {
      addName(written, path);
    }
    return new Projection(schema, { ...selection, written });
  }
}

function splitNames(entries: readonly string[] = [], parameter: string): string[] {
  const names = entries.flatMap((entry) => entry.split(',', MAX_NAMES + 1)).map((name) => name.trim());
  if (names.length > MAX_NAMES) {
    throw badRequest('invalidValue', `${parameter}: expected at most ${MAX_NAMES} names, found ${names.length}`);
  }
  return names.filter((name) => name !== '');
}

function resolveNames(names: readonly string[], schema: ResourceSchema): NamedAttributes {
  const root: NamedAttributes = new Map();
  for (const name of names) {
    addName(root, schema.resolve(name)?.path ?? []);
  }
  return root;
}

function addName(names: NamedAttributes, [step, ...below]: readonly string[]): void {
  const known = step === undefined ? 'whole' : names.get(step);
  if (step === undefined || known === 'whole') {
    return;
  }
  const named = below.length === 0 ? 'whole' : (known ?? new Map());
  names.set(step, named);
  if (named !== 'whole') {
    addName(named, below);
  }
}

/** What the names of a request do: only they are returned, or they are left out. */
type Meaning = 'named' | 'excluded';

interface Selection {
  readonly meaning: Meaning;
  readonly names: NamedAttributes;
  /** What the request wrote. */
  readonly written?: NamedAttributes;
}

function isOrHasRequested({ returned, subAttributes = [] }: AttributeDefinition): boolean {
  return returned === 'request' || subAttributes.some(isOrHasRequested);
}

/** @param byDefault whether attributes with `returned: default` are part of the answer where no name says otherwise */
function compileRules(
  attributes: readonly AttributeDefinition[],
  selection: Selection,
  byDefault: boolean,
): ProjectionRules {
  const rules = new Map<string, ProjectionRule>();
  for (const attribute of attributes) {
    const rule = compileRule(attribute, selection, byDefault);
    if (rule !== undefined) {
      rules.set(attribute.name, rule);
    }
  }
  return rules;
}

function compileRule(
  attribute: AttributeDefinition,
  { meaning, names, written }: Selection,
  byDefault: boolean,
): ProjectionRule | undefined {
  if (attribute.returned === 'never') {
    return undefined;
  }
  const { name, subAttributes = [] } = attribute;
  const named = names.get(name);
  const wrote = written?.get(name);
  const isReturned = decide(attribute, meaning, named === 'whole', byDefault, wrote !== undefined);
  if (subAttributes.length === 0) {
    return isReturned ? 'whole' : undefined;
  }
  const below: Selection = {
    meaning,
    names: namesBelow(named),
    written: wrote === 'whole' ? wholeOf(subAttributes) : namesBelow(wrote),
  };
  const rules = compileRules(subAttributes, below, isReturned);
  if (rules.size === subAttributes.length && [...rules.values()].every((rule) => rule === 'whole')) {
    return 'whole';
  }
  return rules.size === 0 ? undefined : rules;
}

function namesBelow(named: 'whole' | NamedAttributes | undefined): NamedAttributes {
  return named === undefined || named === 'whole' ? new Map() : named;
}

function wholeOf(attributes: readonly AttributeDefinition[]): NamedAttributes {
  return new Map(attributes.map(({ name }) => [name, 'whole']));
}

function decide(
  { returned }: AttributeDefinition,
  meaning: Meaning,
  isNamed: boolean,
  byDefault: boolean,
  isWritten: boolean,
): boolean {
  // RFC 7643 §7: always: "regardless of the contents of the "attributes" parameter".
  if (returned === 'always') {
    return true;
  }
  if (isNamed) {
    return meaning === 'named';
  }
  return byDefault && (returned === 'default' || (returned === 'request' && isWritten));
}
