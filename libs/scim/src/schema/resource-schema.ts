import type { AttributeDefinition, ResourceType, SchemaDefinition } from '@palisade/domain';
import { badRequest } from '../scim.errors.js';
import { COMMON_ATTRIBUTES } from './common-attributes.js';
import { defineAttribute } from './define-attribute.js';

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
 * regard to case (RFC 7643 §2.1); the only way from a name in a request to a property name is through `resolve`,
 * `findAttribute` and `findSubAttribute`, so a name that no schema defines, such as `__proto__`, never reaches an object.
 */
export class ResourceSchema {
  /** Common attributes, then the core schema's, then one per extension. */
  readonly attributes: readonly AttributeDefinition[];
  /** Each extension as an attribute, in the order in which they were given. */
  readonly extensionAttributes: readonly AttributeDefinition[];
  readonly schemas: readonly SchemaDefinition[];
  private readonly roots: ReadonlyMap<string, AttributeDefinition>;
  private readonly extensionUrns: ReadonlyMap<string, AttributeDefinition>;
  private readonly resolved = new Map<string, ResolvedPath>();

  /** @throws {ScimError} 400 invalidValue when two schemas give the same path a meaning */
  constructor(
    readonly type: ResourceType,
    readonly core: SchemaDefinition,
    readonly extensions: readonly { readonly schema: SchemaDefinition; readonly required: boolean }[],
  ) {
    this.extensionAttributes = extensions.map(({ schema, required }) => asAttribute(schema, required));
    this.attributes = [...COMMON_ATTRIBUTES, ...core.attributes, ...this.extensionAttributes];
    this.schemas = [core, ...extensions.map(({ schema }) => schema)];
    this.roots = byFoldedName(this.attributes);
    this.extensionUrns = byFoldedName(this.extensionAttributes);
    for (const attribute of this.attributes) {
      this.index([attribute], attribute.name);
    }
    for (const attribute of [...COMMON_ATTRIBUTES, ...core.attributes]) {
      this.index([attribute], `${core.id}:${attribute.name}`);
    }
    this.indexBareNames();
  }

  /**
   * Resolves `name`, `name.sub`, or either after a schema URN and a colon (RFC 7644 §3.10); an extension's URN alone
   * stands for the whole extension. An extension's attribute needs no URN when no core attribute and no other extension
   * has its name. Undefined when no schema of this resource type defines it.
   */
  resolve(path: string): ResolvedPath | undefined {
    return this.resolved.get(path.toLowerCase());
  }

  /** What a property at the top of a resource stands for: a common or core attribute, or an extension by its URN. */
  findAttribute(name: string): AttributeDefinition | undefined {
    return this.roots.get(name.toLowerCase());
  }

  /** The extension with this URN, as an attribute. */
  findExtension(urn: string): AttributeDefinition | undefined {
    return this.extensionUrns.get(urn.toLowerCase());
  }

  // RFC 7644 §3.10: clients "SHOULD fully qualify extended attributes". Entra ID does not: it sends a plain `manager`.
  private indexBareNames(): void {
    const extended = this.extensionAttributes.flatMap((extension) =>
      (extension.subAttributes ?? []).map((attribute) => ({ extension, attribute })),
    );
    const byName = Map.groupBy(extended, ({ attribute }) => attribute.name.toLowerCase());
    for (const [name, [first, ...others]] of byName) {
      if (first !== undefined && others.length === 0 && !this.resolved.has(name)) {
        this.index([first.extension, first.attribute], first.attribute.name);
      }
    }
  }

  private index(definitions: [AttributeDefinition, ...AttributeDefinition[]], name: string): void {
    const key = name.toLowerCase();
    if (this.resolved.has(key)) {
      throw badRequest(
        'invalidValue',
        `extensions: expected every path to have one definition, found two of "${name}"`,
      );
    }
    const attribute = definitions.at(-1) ?? definitions[0];
    const path = definitions.map((definition) => definition.name) as [string, ...string[]];
    this.resolved.set(key, { path, definitions, attribute });
    const separator = this.extensionUrns.has(key) ? ':' : '.';
    for (const sub of attribute.subAttributes ?? []) {
      this.index([...definitions, sub], `${name}${separator}${sub.name}`);
    }
  }
}

const subAttributeNames = new WeakMap<AttributeDefinition, ReadonlyMap<string, AttributeDefinition>>();

/** The sub-attribute of a complex attribute, matched without regard to case. */
export function findSubAttribute(attribute: AttributeDefinition, name: string): AttributeDefinition | undefined {
  let names = subAttributeNames.get(attribute);
  if (names === undefined) {
    names = byFoldedName(attribute.subAttributes ?? []);
    subAttributeNames.set(attribute, names);
  }
  return names.get(name.toLowerCase());
}

function byFoldedName(attributes: readonly AttributeDefinition[]): ReadonlyMap<string, AttributeDefinition> {
  return new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
}

function asAttribute(schema: SchemaDefinition, required: boolean): AttributeDefinition {
  return defineAttribute({
    name: schema.id,
    description: schema.description,
    type: 'complex',
    required,
    subAttributes: schema.attributes,
  });
}
