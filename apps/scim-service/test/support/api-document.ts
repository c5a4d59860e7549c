import type { OpenAPIObject, OperationObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';

type Schema = SchemaObject | ReferenceObject;

/** An operation with what it is called by. */
export interface DocumentedOperation extends OperationObject {
  readonly method: string;
  readonly path: string;
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** An OpenAPI document, as a client generator would read it. */
export class ApiDocument {
  constructor(readonly root: OpenAPIObject) {}

  operations(): DocumentedOperation[] {
    return Object.entries(this.root.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ ...(operation as OperationObject), method, path })),
    );
  }

  operation(id: string): DocumentedOperation {
    const found = this.operations().find(({ operationId }) => operationId === id);
    if (found === undefined) {
      throw new RangeError(`no operation ${id}`);
    }
    return found;
  }

  /** The object itself, or what it points at. */
  resolve<T extends object>(value: T | ReferenceObject): T {
    if (!('$ref' in value) || typeof value.$ref !== 'string') {
      return value as T;
    }
    const steps = value.$ref.replace(/^#\//, '').split('/');
    const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], this.root);
    if (target === undefined) {
      throw new RangeError(`${value.$ref} leads nowhere`);
    }
    return this.resolve(target as T);
  }

  /** Every `$ref` that is a text; an attribute of SCIM has that name too, and is an object or an example of one. */
  references(): string[] {
    const found: string[] = [];
    const visit = (value: unknown): void => {
      if (typeof value === 'object' && value !== null) {
        for (const [name, inner] of Object.entries(value)) {
          if (name === '$ref' && typeof inner === 'string' && inner.startsWith('#')) {
            found.push(inner);
          } else {
            visit(inner);
          }
        }
      }
    };
    visit(this.root);
    return found;
  }

  /** What about the value is not as the schema has it: wrong types, missing properties, and such as are not described. */
  violations(value: unknown, schema: Schema, at = '$'): string[] {
    const { type, enum: choices, anyOf, items, properties, required = [], additionalProperties } = this.merged(schema);
    if (anyOf !== undefined) {
      const attempts = anyOf.map((option) => this.violations(value, option, at));
      return attempts.find((attempt) => attempt.length === 0) ?? attempts.flat();
    }
    if (typeof type === 'string' && TYPES[type]?.(value) !== true) {
      return [`${at} is no ${type}`];
    }
    if (choices !== undefined && !choices.includes(value)) {
      return [`${at} is none of ${choices.join(', ')}`];
    }
    if (Array.isArray(value)) {
      return value.flatMap((item, index) => this.violations(item, items ?? {}, `${at}[${index}]`));
    }
    if (typeof value !== 'object' || value === null || properties === undefined) {
      return [];
    }
    const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name} is missing`);
    const wrong = Object.entries(value).flatMap(([name, inner]) => {
      const property = properties[name];
      if (property === undefined) {
        return additionalProperties === true ? [] : [`${at}.${name} is not described`];
      }
      return this.violations(inner, property, `${at}.${name}`);
    });
    return [...missing, ...wrong];
  }

  /** A schema with everything that it says itself and by `$ref` and `allOf`. */
  private merged(schema: Schema): SchemaObject {
    const { allOf = [], ...own } = this.resolve<SchemaObject>(schema);
    const parts = [...allOf.map((part) => this.merged(part)), own];
    const described = parts.flatMap(({ properties }) => Object.entries(properties ?? {}));
    return Object.assign({}, ...parts, {
      properties: described.length === 0 ? undefined : Object.fromEntries(described),
      required: parts.flatMap(({ required = [] }) => required),
    }) as SchemaObject;
  }
}
