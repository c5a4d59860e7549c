import type { AttributeDefinition, ResourceType, SchemaDefinition } from '@palisade/domain';
import { COMMON_ATTRIBUTES } from './common-attributes.js';

/** Where an attribute path leads. */
export interface ResolvedPath {
  /** Property names from the root of a resource: `[name]`, `[name, sub]`, `[urn]`, `[urn, name]` or `[urn, name, sub]`. */
  readonly path: readonly [string, ...string[]];
  /** The definitions of the same steps. */
  readonly definitions: readonly [AttributeDefinition, ...AttributeDefinition[]];
  /** The last of `definitions`: what the path names. */
  readonly attribute: AttributeDefinition;
}

/**
 * A resource type as its core schema and extensions define it. An extension appears as one complex, single-valued
 * attribute whose name is its URN, as RFC 7643 §3.3 lays it out in a resource. Names and URNs are matched without
 * regard to case (RFC 7643 §2.1); the only way from a name in a request to a property name is through `resolve`
 * and `findAttribute`, so a name that no schema defines, such as `__proto__`, never reaches an object.
 */
export class ResourceSchema {
  /** Common attributes, then the core schema's, then one per extension. */
  readonly attributes: readonly AttributeDefinition[];
  readonly schemas: readonly SchemaDefinition[];
  private readonly extensionUrns: ReadonlyMap<string, AttributeDefinition>;
  private readonly resolved = new Map<string, ResolvedPath>();

  constructor(
    readonly type: ResourceType,
    readonly core: SchemaDefinition,
    readonly extensions: readonly { readonly schema: SchemaDefinition; readonly required: boolean }[],
  ) {
    const extensionAttributes = extensions.map(({ schema, required }) => asAttribute(schema, required));
    this.attributes = [...COMMON_ATTRIBUTES, ...core.attributes, ...extensionAttributes];
    this.schemas = [core, ...extensions.map(({ schema }) => schema)];
    this.extensionUrns = new Map(extensionAttributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
    for (const attribute of this.attributes) {
      this.index([attribute], attribute.name);
    }
    for (const attribute of [...COMMON_ATTRIBUTES, ...core.attributes]) {
      this.index([attribute], `${core.id}:${attribute.name}`);
    }
  }

  /**
   * Resolves `name`, `name.sub`, or either after a schema URN and a colon (RFC 7644 §3.10); an extension's URN alone
   * stands for the whole extension. Undefined when no schema of this resource type defines it.
   */
  resolve(path: string): ResolvedPath | undefined {
    return this.resolved.get(path.toLowerCase());
  }

  /** The extension with this URN, as an attribute. */
  findExtension(urn: string): AttributeDefinition | undefined {
    return this.extensionUrns.get(urn.toLowerCase());
  }

  private index(definitions: [AttributeDefinition, ...AttributeDefinition[]], name: string): void {
    const attribute = definitions.at(-1) ?? definitions[0];
    const path = definitions.map((definition) => definition.name) as [string, ...string[]];
    this.resolved.set(name.toLowerCase(), { path, definitions, attribute });
    const separator = this.extensionUrns.has(name.toLowerCase()) ? ':' : '.';
    for (const sub of attribute.subAttributes ?? []) {
      this.index([...definitions, sub], `${name}${separator}${sub.name}`);
    }
  }
}

/** The sub-attribute of a complex attribute, matched without regard to case. */
export function findSubAttribute(attribute: AttributeDefinition, name: string): AttributeDefinition | undefined {
  const wanted = name.toLowerCase();
  return attribute.subAttributes?.find((sub) => sub.name.toLowerCase() === wanted);
}

function asAttribute(schema: SchemaDefinition, required: boolean): AttributeDefinition {
  return {
    name: schema.id,
    type: 'complex',
    multiValued: false,
    description: schema.description,
    required,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    subAttributes: schema.attributes,
  };
}
