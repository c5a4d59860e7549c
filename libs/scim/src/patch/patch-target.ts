import type { AttributeDefinition, Dialect } from '@palisade/domain';
import { lastStep, rootScope, type Steps } from '../filter/attribute-scope.js';
import { bindElementFilter } from '../filter/bind-filter.js';
import type { FilterExpression } from '../filter/filter-expression.js';
import { countConditions } from '../filter/filter-weight.js';
import { parsePatchPath } from '../filter/parse-filter.js';
import { quote } from '../schema/invalid-value.js';
import { findSubAttribute, type ResourceSchema } from '../schema/resource-schema.js';
import { badRequest } from '../scim.errors.js';
import { filterableElement } from './element-inspector.js';
import type { ElementSelection } from './patch-operation.js';

/** What the `path` of an operation names. */
export interface PatchTarget {
  readonly steps: Steps;
  /** The last of `steps`. */
  readonly attribute: AttributeDefinition;
  readonly selection?: ElementSelection;
  /** The sub-attribute of a multi-valued attribute's elements; the sub-attribute of a single-valued one is the last of `steps`. */
  readonly subAttribute?: AttributeDefinition;
  /** In the schema's spelling and without the filter; for messages. */
  readonly path: string;
  readonly isReadOnly: boolean;
}

/**
 * Resolves a PATCH path (RFC 7644 §3.5.2, figure 7). Only names that the schema defines get through.
 *
 * @throws {ScimError} 400 invalidPath when the path is malformed or leads to no attribute, 400 invalidFilter or 403
 *   sensitive for what is between its brackets
 */
export function parsePatchTarget(text: string, schema: ResourceSchema, dialect: Dialect): PatchTarget {
  const { path, filter, subAttribute } = parsePatchPath(text, { unquotedLiterals: dialect === 'entra' });
  const target = findPatchTarget(path, schema);
  if (target === undefined) {
    throw badRequest('invalidPath', `path: expected an attribute of ${schema.type}, found ${quote(path)}`);
  }
  return filter === undefined ? target : selectElements(target, filter, subAttribute);
}

/** The target that a name without a filter stands for: `name`, `name.sub`, either after a URN, or an extension's URN. */
export function findPatchTarget(path: string, schema: ResourceSchema): PatchTarget | undefined {
  const definitions = rootScope(schema).resolve(path);
  if (definitions === undefined) {
    return undefined;
  }
  const [first, ...rest] = definitions;
  const listAt = definitions.findIndex(({ multiValued }) => multiValued);
  const insideElements = listAt === -1 ? [] : rest.splice(listAt);
  return createTarget([first, ...rest], insideElements[0]);
}

function selectElements(
  { attribute, steps, subAttribute: inner, path }: PatchTarget,
  expression: FilterExpression,
  name: string | undefined,
): PatchTarget {
  if (!attribute.multiValued || inner !== undefined) {
    throw badRequest('invalidPath', `path: expected a multi-valued attribute before "[", found ${path}`);
  }
  const subAttribute = name === undefined ? undefined : findSubAttribute(attribute, name);
  if (name !== undefined && subAttribute === undefined) {
    throw badRequest('invalidPath', `path: expected a sub-attribute of ${path} after "]", found ${quote(name)}`);
  }
  const filter = bindElementFilter(expression, filterableElement(attribute));
  return {
    ...createTarget(steps, subAttribute),
    selection: { expression, filter, conditions: countConditions(filter) },
  };
}

function createTarget(steps: Steps, subAttribute: AttributeDefinition | undefined): PatchTarget {
  const all: Steps = subAttribute === undefined ? steps : [...steps, subAttribute];
  return {
    steps,
    attribute: lastStep(steps),
    subAttribute,
    path: formatSteps(all),
    isReadOnly: all.some(({ mutability }) => mutability === 'readOnly'),
  };
}

/** `name.givenName`, or inside an extension `urn:…:User:manager.value`. */
export function formatSteps([first, ...rest]: Steps): string {
  const names = rest.map(({ name }) => name).join('.');
  return names === '' ? first.name : `${first.name}${first.name.includes(':') ? ':' : '.'}${names}`;
}
