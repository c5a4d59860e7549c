import type { AttributeDefinition, AttributeReference } from '@palisade/domain';
import { ScimError, badRequest, type ScimType } from '../scim.errors.js';
import { findSubAttribute, type ResourceSchema } from '../schema/resource-schema.js';

/** The definitions of a path's steps; the last is what the path names. */
export type Steps = readonly [AttributeDefinition, ...AttributeDefinition[]];

/** Where the names of a filter are looked up: at the root of a resource or inside an element of a complex attribute. */
export interface AttributeScope {
  /** What a name should have been, for error messages. */
  readonly expected: string;
  /** The attributes that lead to the scope; empty at the root. */
  readonly parents: readonly AttributeDefinition[];
  /** Undefined when there is no such attribute. */
  resolve(path: string): Steps | undefined;
}

export function rootScope(schema: ResourceSchema): AttributeScope {
  return {
    expected: `an attribute of ${schema.type}`,
    parents: [],
    resolve: (path) => schema.resolve(path)?.definitions,
  };
}

/** @param parents the complex attribute, after those that contain it */
export function elementScope(parents: Steps): AttributeScope {
  const attribute = lastStep(parents);
  return {
    expected: `a sub-attribute of ${attribute.name}`,
    parents,
    resolve: (path) => resolveInside(attribute, path),
  };
}

/** Deeper than one step only when the attribute is a schema extension. */
function resolveInside(attribute: AttributeDefinition, path: string): Steps | undefined {
  const [name = '', subName, ...rest] = path.split('.');
  const found = findSubAttribute(attribute, name);
  if (found === undefined || subName === undefined) {
    return found && [found];
  }
  const sub = findSubAttribute(found, subName);
  return sub === undefined || rest.length > 0 ? undefined : [found, sub];
}

/**
 * The attribute that a comparison or a sort looks at: for a complex attribute its `value`, so that `members eq "x"`
 * means `members.value eq "x"`. Undefined when a complex attribute has none.
 *
 * RFC 7644 §3.4.2.2 says "a fully qualified sub-attribute MUST be specified", and has `emails co "example.com"` among
 * its examples. ADR-0004.
 */
export function comparableSteps(steps: Steps): Steps | undefined {
  const attribute = lastStep(steps);
  if (attribute.type !== 'complex') {
    return steps;
  }
  const value = findSubAttribute(attribute, 'value');
  return value === undefined ? undefined : [...steps, value];
}

export function lastStep(steps: Steps): AttributeDefinition {
  return steps.at(-1) ?? steps[0];
}

export function referenceTo(steps: Steps): AttributeReference {
  const [first, ...rest] = steps;
  return {
    path: [first.name, ...rest.map(({ name }) => name)],
    type: lastStep(steps).type,
    multiValued: steps.some(({ multiValued }) => multiValued),
  };
}

/** Answered from the request's URL and the schemas when a resource is presented, so stores do not have them. */
const DERIVED_ATTRIBUTES: ReadonlySet<string> = new Set(['schemas', 'meta.location', 'meta.version']);

/**
 * @param shown the path as the client wrote it, and where
 * @throws {ScimError} 403 sensitive for an attribute that is never returned; 400 for one that no search document holds
 */
export function checkSearchable(scope: AttributeScope, steps: Steps, scimType: ScimType, shown: string): void {
  const whole = [...scope.parents, ...steps];
  // RFC 7644 §7.5.2, table 9: 403 "sensitive". What is never returned must not be found out by filtering either.
  if (whole.some(({ returned }) => returned === 'never')) {
    throw new ScimError(403, 'sensitive', `${shown}: this attribute is never disclosed and cannot be searched by`);
  }
  const names = whole.map(({ name }) => name);
  if (names.at(-1) === '$ref' || DERIVED_ATTRIBUTES.has(names.join('.'))) {
    throw badRequest(scimType, `${shown}: this attribute is derived and cannot be searched by`);
  }
}
