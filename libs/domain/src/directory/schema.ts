import type { ResourceType } from '../identifiers.js';

/** RFC 7643 §2.3. */
export type AttributeType =
  'string' | 'boolean' | 'decimal' | 'integer' | 'dateTime' | 'binary' | 'reference' | 'complex';

/** One attribute with its characteristics (RFC 7643 §7); the defaults of §2.2 are written out by `defineAttribute` in libs/scim. */
export interface AttributeDefinition {
  readonly name: string;
  readonly type: AttributeType;
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  /** Suggested values; only a suggestion, as RFC 7643 §7 leaves the check to the service provider. */
  readonly canonicalValues?: readonly string[];
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
  readonly returned: 'always' | 'never' | 'default' | 'request';
  readonly uniqueness: 'none' | 'server' | 'global';
  /** For `reference`: resource type names, `external` or `uri`. */
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly AttributeDefinition[];
}

/** One schema (RFC 7643 §7): a URN and its attributes. */
export interface SchemaDefinition {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly AttributeDefinition[];
}

/** A schema that a provider adds to a resource type. */
export interface SchemaExtension {
  readonly resourceType: ResourceType;
  readonly required: boolean;
  readonly schema: SchemaDefinition;
}
