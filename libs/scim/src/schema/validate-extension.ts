import {
  type AttributeDefinition,
  type AttributeType,
  RESOURCE_TYPES,
  type SchemaDefinition,
  type SchemaExtension,
} from '@palisade/domain';
import { badRequest } from '../scim.errors.js';
import { ENTERPRISE_USER_URN } from '../urns.js';
import { defineAttribute } from './define-attribute.js';
import { invalidValue, quote } from './invalid-value.js';

const MAX_ATTRIBUTES = 100;
const MAX_SUB_ATTRIBUTES = 50;
const MAX_CANONICAL_VALUES = 100;
const MAX_URN_LENGTH = 200;

// RFC 8141 §2, without the characters that would end an attribute path (RFC 7644 §3.10) or need escaping in a URL.
const URN = /^urn:[a-z0-9][a-z0-9-]{0,31}(:[a-z0-9][a-z0-9._-]*)+$/i;
/** Lower case. What starts with one of these is registered for SCIM itself (RFC 7643 §10, RFC 7644 §8.2). */
const RESERVED_URNS = [
  'urn:ietf:params:scim:api:',
  'urn:ietf:params:scim:schemas:core:',
  ENTERPRISE_USER_URN.toLowerCase(),
];

// RFC 7643 §2.1: ATTRNAME = ALPHA *(nameChar). "$ref" (§2.4) is the one name outside of it.
const ATTRIBUTE_NAME = /^(?:[a-z][a-z0-9$_-]{0,99}|\$ref)$/i;

const SIMPLE_TYPES = ['string', 'boolean', 'decimal', 'integer', 'dateTime', 'binary', 'reference'] as const;
const TYPES: readonly AttributeType[] = [...SIMPLE_TYPES, 'complex'];
const MUTABILITIES = ['readWrite', 'readOnly', 'immutable', 'writeOnly'] as const;
const RETURNED = ['default', 'always', 'never', 'request'] as const;
// Only the uniqueness of core attributes is enforced, and what is not enforced is not promised.
const UNIQUENESS = ['none'] as const;
const CHARACTERISTICS = [
  'name',
  'type',
  'multiValued',
  'description',
  'required',
  'canonicalValues',
  'caseExact',
  'mutability',
  'returned',
  'uniqueness',
  'referenceTypes',
  'subAttributes',
];

/**
 * A schema extension as an administrator wrote it: `{resourceType, required?, schema: {id, name, description?,
 * attributes}}`, attributes with the characteristics of RFC 7643 §7. Absent characteristics get the defaults of §2.2,
 * absent descriptions the name. At most 100 attributes with 50 sub-attributes each; complex ones cannot be nested
 * (§2.3.8). References and binaries are always case exact (§2.3.6, §2.3.7), whatever is given.
 *
 * @param path where the extension is in the input, for messages
 * @throws {ScimError} 400 invalidValue naming the path of what is wrong
 */
export function validateExtension(input: unknown, path = 'extension'): SchemaExtension {
  const { resourceType, required, schema } = readFields(input, path, ['resourceType', 'required', 'schema']);
  return {
    resourceType: readWord(resourceType, `${path}.resourceType`, RESOURCE_TYPES),
    required: readFlag(required, `${path}.required`, false),
    schema: readSchema(schema, `${path}.schema`),
  };
}

function readSchema(input: unknown, path: string): SchemaDefinition {
  const fields = readFields(input, path, ['id', 'name', 'description', 'attributes']);
  const name = readText(fields.name, `${path}.name`);
  return {
    id: readUrn(fields.id, `${path}.id`),
    name,
    description: fields.description === undefined ? name : readText(fields.description, `${path}.description`),
    attributes: readAttributes(fields.attributes, `${path}.attributes`, MAX_ATTRIBUTES, TYPES),
  };
}

function readUrn(input: unknown, path: string): string {
  if (typeof input !== 'string' || input.length > MAX_URN_LENGTH || !URN.test(input)) {
    throw invalidValue(path, `a URN of at most ${MAX_URN_LENGTH} letters, digits, ".", "_", "-" and ":"`, input);
  }
  const urn = input.toLowerCase();
  if (RESERVED_URNS.some((reserved) => urn.startsWith(reserved))) {
    throw invalidValue(path, 'a URN that is not reserved for SCIM itself', input);
  }
  return input;
}

function readAttributes(
  input: unknown,
  path: string,
  maximum: number,
  types: readonly AttributeType[],
): AttributeDefinition[] {
  const attributes = readEntries(input, path, 1, maximum).map((entry, index) =>
    readAttribute(entry, `${path}[${index}]`, types),
  );
  const names = new Set<string>();
  for (const [index, { name }] of attributes.entries()) {
    if (names.has(name.toLowerCase())) {
      throw invalidValue(`${path}[${index}].name`, 'a name that is not used yet, whatever its case', name);
    }
    names.add(name.toLowerCase());
  }
  return attributes;
}

function readAttribute(input: unknown, path: string, types: readonly AttributeType[]): AttributeDefinition {
  const fields = readFields(input, path, CHARACTERISTICS);
  const name = readName(fields.name, `${path}.name`);
  const type = readWord(fields.type, `${path}.type`, types, 'string');
  const caseExact = readFlag(fields.caseExact, `${path}.caseExact`, false);
  const attribute = defineAttribute({
    name,
    type,
    description: fields.description === undefined ? name : readText(fields.description, `${path}.description`),
    multiValued: readFlag(fields.multiValued, `${path}.multiValued`, false),
    required: readFlag(fields.required, `${path}.required`, false),
    caseExact: caseExact || type === 'reference' || type === 'binary',
    mutability: readWord(fields.mutability, `${path}.mutability`, MUTABILITIES, 'readWrite'),
    returned: readWord(fields.returned, `${path}.returned`, RETURNED, 'default'),
    uniqueness: readWord(fields.uniqueness, `${path}.uniqueness`, UNIQUENESS, 'none'),
    ...readDetails(fields, path, type),
  });
  rejectContradiction(attribute, path);
  return attribute;
}

function readName(input: unknown, path: string): string {
  if (typeof input !== 'string' || !ATTRIBUTE_NAME.test(input)) {
    throw invalidValue(path, 'a letter and then at most 99 letters, digits, "$", "-" or "_"', input);
  }
  // Names such as "constructor" would be found in every object, whether it has such a value or not.
  if (input in Object.prototype) {
    throw invalidValue(path, 'a name that JavaScript objects do not have already', input);
  }
  return input;
}

/** The characteristics that only some types have. */
function readDetails(
  fields: Readonly<Record<string, unknown>>,
  path: string,
  type: AttributeType,
): Pick<AttributeDefinition, 'canonicalValues' | 'referenceTypes' | 'subAttributes'> {
  rejectUnless(type === 'string', fields.canonicalValues, `${path}.canonicalValues`, 'string');
  rejectUnless(type === 'reference', fields.referenceTypes, `${path}.referenceTypes`, 'reference');
  rejectUnless(type === 'complex', fields.subAttributes, `${path}.subAttributes`, 'complex');
  return {
    ...(fields.canonicalValues === undefined
      ? {}
      : { canonicalValues: readTexts(fields.canonicalValues, `${path}.canonicalValues`) }),
    ...(fields.referenceTypes === undefined
      ? {}
      : { referenceTypes: readTexts(fields.referenceTypes, `${path}.referenceTypes`) }),
    // RFC 7643 §2.3.8: "A complex attribute MUST NOT contain sub-attributes that have sub-attributes".
    ...(type === 'complex'
      ? {
          subAttributes: readAttributes(
            fields.subAttributes,
            `${path}.subAttributes`,
            MAX_SUB_ATTRIBUTES,
            SIMPLE_TYPES,
          ),
        }
      : {}),
  };
}

function readTexts(input: unknown, path: string): string[] {
  return readEntries(input, path, 0, MAX_CANONICAL_VALUES).map((entry, index) => readText(entry, `${path}[${index}]`));
}

function rejectUnless(isApplicable: boolean, field: unknown, path: string, type: AttributeType): void {
  if (!isApplicable && field !== undefined) {
    throw invalidValue(path, `nothing, it is for attributes of type ${type}`, field);
  }
}

function rejectContradiction({ mutability, returned, required }: AttributeDefinition, path: string): void {
  // RFC 7643 §7: the values of a writeOnly attribute "SHALL NOT be returned".
  if (mutability === 'writeOnly' && returned !== 'never') {
    throw invalidValue(`${path}.returned`, '"never" with the mutability "writeOnly"', returned);
  }
  if (required && (mutability === 'readOnly' || returned === 'never')) {
    throw badRequest('invalidValue', `${path}.required: expected false, as no client can keep a value there`);
  }
}

const MAX_TEXT_LENGTH = 1000;

/** An object with no other than the given keys. @throws {ScimError} 400 invalidValue */
export function readFields(input: unknown, path: string, keys: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalidValue(path, 'an object', input);
  }
  const unknown = Object.keys(input).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    throw invalidValue(path, `only the keys ${keys.join(', ')}`, unknown);
  }
  return { ...input };
}

/** A list of `minimum` to `maximum` entries. @throws {ScimError} 400 invalidValue */
export function readEntries(input: unknown, path: string, minimum: number, maximum: number): readonly unknown[] {
  if (!Array.isArray(input) || input.length < minimum || input.length > maximum) {
    throw invalidValue(path, `a list of ${minimum} to ${maximum}`, input);
  }
  return input;
}

/** A text that a database can hold, of at most 1000 characters. @throws {ScimError} 400 invalidValue */
export function readText(input: unknown, path: string): string {
  if (typeof input !== 'string' || input === '' || input.length > MAX_TEXT_LENGTH) {
    throw invalidValue(path, `a text of 1 to ${MAX_TEXT_LENGTH} characters`, input);
  }
  if (input.includes('\0') || !input.isWellFormed()) {
    throw invalidValue(path, 'well-formed Unicode without U+0000', input);
  }
  return input;
}

/** `fallback` when absent. @throws {ScimError} 400 invalidValue */
export function readFlag(input: unknown, path: string, fallback: boolean): boolean {
  if (input === undefined) {
    return fallback;
  }
  if (typeof input !== 'boolean') {
    throw invalidValue(path, 'true or false', input);
  }
  return input;
}

/** One of the given words; `fallback`, if there is one, when absent. @throws {ScimError} 400 invalidValue */
export function readWord<Word extends string>(
  input: unknown,
  path: string,
  words: readonly Word[],
  fallback?: Word,
): Word {
  const word = input === undefined ? fallback : words.find((candidate) => candidate === input);
  if (word === undefined) {
    throw invalidValue(path, words.map(quote).join(' or '), input);
  }
  return word;
}
