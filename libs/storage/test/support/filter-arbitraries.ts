import * as fc from 'fast-check';
import type { AttributeReference, AttributeType, ComparisonOperator, Filter } from '@palisade/domain';
import { ENTERPRISE_USER_URN, foldCase, toCanonicalDateTime } from '@palisade/scim';
import { BADGE_URN } from './badge-extension.js';
import { dateTimes, decimals, integers, references, texts } from './document-arbitraries.js';

/** What filters can speak of at one place: at the root of a resource or inside an element. */
export interface FilterScope {
  readonly simple: readonly AttributeReference[];
  /** With the scope inside of them. */
  readonly complex: readonly (readonly [AttributeReference, FilterScope])[];
}

function scope(simple: readonly AttributeReference[], complex: FilterScope['complex'] = []): FilterScope {
  return { simple, complex };
}

function one(type: AttributeType, ...path: [string, ...string[]]): AttributeReference {
  return { path, type, multiValued: false };
}

function many(type: AttributeType, ...path: [string, ...string[]]): AttributeReference {
  return { path, type, multiValued: true };
}

const EMAIL = scope([one('string', 'value'), one('string', 'type'), one('boolean', 'primary')]);
const VISIT = scope([
  one('string', 'value'),
  one('dateTime', 'at'),
  one('integer', 'minutes'),
  one('boolean', 'primary'),
]);
const RELATED = scope([one('string', 'value'), one('string', 'display'), one('string', 'type')]);
const BADGE = scope(
  [one('string', 'label'), one('integer', 'level'), many('string', 'tags'), one('string', 'visits', 'value')],
  [[many('complex', 'visits'), VISIT]],
);
const COMMON = [
  one('string', 'id'),
  one('string', 'externalId'),
  one('string', 'meta', 'resourceType'),
  one('dateTime', 'meta', 'created'),
  one('dateTime', 'meta', 'lastModified'),
];

export const USER_SCOPE = scope(
  [
    ...COMMON,
    one('string', 'userName'),
    one('string', 'displayName'),
    one('string', 'title'),
    one('reference', 'profileUrl'),
    one('boolean', 'active'),
    one('string', 'name', 'givenName'),
    many('string', 'emails', 'value'),
    many('string', 'emails', 'type'),
    many('boolean', 'emails', 'primary'),
    many('string', 'groups', 'value'),
    many('string', 'groups', 'display'),
    many('string', 'groups', 'type'),
    one('string', ENTERPRISE_USER_URN, 'department'),
    one('string', ENTERPRISE_USER_URN, 'manager', 'value'),
    one('string', BADGE_URN, 'label'),
    one('string', BADGE_URN, 'code'),
    one('integer', BADGE_URN, 'level'),
    one('decimal', BADGE_URN, 'weight'),
    one('boolean', BADGE_URN, 'lost'),
    one('dateTime', BADGE_URN, 'issued'),
    one('binary', BADGE_URN, 'photo'),
    one('reference', BADGE_URN, 'page'),
    many('string', BADGE_URN, 'tags'),
    many('integer', BADGE_URN, 'floors'),
    many('string', BADGE_URN, 'visits', 'value'),
    many('dateTime', BADGE_URN, 'visits', 'at'),
    many('integer', BADGE_URN, 'visits', 'minutes'),
  ],
  [
    [one('complex', 'name'), scope([one('string', 'givenName'), one('string', 'familyName')])],
    [many('complex', 'emails'), EMAIL],
    [many('complex', 'groups'), RELATED],
    [one('complex', ENTERPRISE_USER_URN, 'manager'), scope([one('string', 'value')])],
    [one('complex', BADGE_URN), BADGE],
    [many('complex', BADGE_URN, 'visits'), VISIT],
  ],
);

export const GROUP_SCOPE = scope(
  [
    ...COMMON,
    one('string', 'displayName'),
    many('string', 'members', 'value'),
    many('string', 'members', 'display'),
    many('string', 'members', 'type'),
  ],
  [[many('complex', 'members'), RELATED]],
);

/** Identifiers of the resources that the property tests make; `{p}` stands for the provider, see `forProvider`. */
const ids = fc.constantFrom('user:scim:{p}:u0', 'user:scim:{p}:u1', 'group:scim:{p}:g0', 'group:scim:{p}:g1');
const words = fc.constantFrom('user', 'group', 'User', 'direct', 'indirect', 'inner', 'u0', '0', 'e0');
const strings = fc.oneof(texts, texts.map(foldCase), texts.map(foldCase), fc.oneof(ids, words));

const EQUALITY: readonly ComparisonOperator[] = ['eq', 'ne'];
const ORDER: readonly ComparisonOperator[] = [...EQUALITY, 'gt', 'ge', 'lt', 'le'];
const ALL: readonly ComparisonOperator[] = [...ORDER, 'co', 'sw', 'ew'];

type Comparand = Pick<Extract<Filter, { kind: 'compare' }>, 'operator' | 'value'>;

function comparands(
  operators: readonly ComparisonOperator[],
  values: fc.Arbitrary<string | number | boolean>,
): fc.Arbitrary<Comparand> {
  return fc.record({ operator: fc.constantFrom(...operators), value: values }, { noNullPrototype: true });
}

/** What goes with an attribute of each type, as `bindFilter` lets it through. */
const COMPARANDS: Readonly<Record<Exclude<AttributeType, 'complex'>, fc.Arbitrary<Comparand>>> = {
  string: comparands(ALL, strings),
  reference: comparands(ALL, fc.oneof(references, strings)),
  binary: comparands(EQUALITY, fc.constantFrom('QQ==', 'qq==')),
  dateTime: comparands(
    ORDER,
    dateTimes.map((text) => toCanonicalDateTime(text) ?? text),
  ),
  integer: comparands(ORDER, integers),
  decimal: comparands(ORDER, fc.oneof(decimals, integers)),
  boolean: comparands(EQUALITY, fc.boolean()),
};
const SIMPLE_TYPES = Object.keys(COMPARANDS) as (keyof typeof COMPARANDS)[];

/** Filters of every kind, up to `depth` levels deep. */
export function filtersOver(scope: FilterScope, depth = 3): fc.Arbitrary<Filter> {
  const flat = fc.oneof({ weight: 4, arbitrary: comparisons(scope) }, { weight: 1, arbitrary: presences(scope) });
  if (depth === 0) {
    return flat;
  }
  const inner = filtersOver(scope, depth - 1);
  const operands = fc.array(inner, { maxLength: 3 });
  const logical = fc
    .tuple(fc.constantFrom('and' as const, 'or' as const), operands)
    .map(([kind, operands]): Filter => ({ kind, operands }));
  const negated = inner.map((operand): Filter => ({ kind: 'not', operand }));
  const elements = scope.complex.map((part) => elementFilters(part, depth - 1));
  return fc.oneof(
    { weight: 5, arbitrary: flat },
    { weight: 2, arbitrary: logical },
    { weight: 1, arbitrary: negated },
    ...(elements.length > 0 ? [{ weight: 2, arbitrary: fc.oneof(...elements) }] : []),
  );
}

/** The filter with `{p}` in its texts replaced by the provider. */
export function forProvider(filter: Filter, provider: string): Filter {
  return JSON.parse(JSON.stringify(filter).replaceAll('{p}', provider)) as Filter;
}

/**
 * One in eight comparisons takes the attribute for one of another type, as happens when a provider redefines an
 * attribute of an extension after values were stored.
 */
function comparisons({ simple }: FilterScope): fc.Arbitrary<Filter> {
  const natural = fc.oneof(...simple.map((attribute) => comparisonsWith(attribute, attribute.type)));
  const redefined = fc.oneof(
    ...SIMPLE_TYPES.map((type) => fc.constantFrom(...simple).chain((attribute) => comparisonsWith(attribute, type))),
  );
  return fc.oneof({ weight: 7, arbitrary: natural }, { weight: 1, arbitrary: redefined });
}

function comparisonsWith(attribute: AttributeReference, type: AttributeType): fc.Arbitrary<Filter> {
  const comparand = type === 'complex' ? COMPARANDS.string : COMPARANDS[type];
  return comparand.map(({ operator, value }) => ({
    kind: 'compare',
    attribute: { ...attribute, type },
    operator,
    value,
  }));
}

function presences({ simple, complex }: FilterScope): fc.Arbitrary<Filter> {
  const attributes = [...simple, ...complex.map(([attribute]) => attribute)];
  return fc.constantFrom(...attributes).map((attribute) => ({ kind: 'present', attribute }));
}

function elementFilters([attribute, inside]: FilterScope['complex'][number], depth: number): fc.Arbitrary<Filter> {
  return filtersOver(inside, depth).map((filter) => ({ kind: 'element', attribute, filter }));
}
