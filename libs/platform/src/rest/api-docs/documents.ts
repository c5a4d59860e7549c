import {
  getSchemaPath,
  type OpenAPIObject,
  type OperationObject,
  type ParameterObject,
  type ReferenceObject,
  type SchemaObject,
} from '@nestjs/swagger';

const PLACES: readonly ParameterObject['in'][] = ['path', 'query', 'header', 'cookie'];

/** Every operation of a document, with its path. */
export function operationsOf({ paths }: OpenAPIObject): [path: string, operation: OperationObject][] {
  return Object.entries(paths).flatMap(([path, { get, post, put, patch, delete: remove }]) =>
    [get, post, put, patch, remove]
      .filter((operation) => operation !== undefined)
      .map((operation): [string, OperationObject] => [path, operation]),
  );
}

/** Points at a schema below `components`. */
export function schemaReference(name: string): ReferenceObject {
  return { $ref: getSchemaPath(name) };
}

/** Points at a response below `components`. */
export function responseReference(name: string): ReferenceObject {
  return { $ref: `#/components/responses/${name}` };
}

/**
 * Puts parameters into the order in which a request has them, and tells the example of each optional one in its
 * description instead of in its schema: Swagger UI fills in the latter, and would send a filter that nobody asked for
 * with every request.
 */
export function tidyParameters(document: OpenAPIObject): void {
  for (const [path, operation] of operationsOf(document)) {
    const parameters = (operation.parameters ?? []).filter(isParameter);
    operation.parameters = parameters.toSorted((a, b) => rank(a, path) - rank(b, path)).map(withoutFilling);
  }
}

/**
 * Says of the bodies that operations for admins take, and of what is in them, that they have no other fields: the validation
 * rejects those. SCIM has rules of its own, and what is also in an answer may grow.
 */
export function closeRequestBodies(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  const operations = operationsOf(document).map(([, operation]) => operation);
  const ofAdmins = operations.filter(({ security = [] }) => security.some((requirement) => 'admin' in requirement));
  const taken = namesIn(
    schemas,
    ofAdmins.map(({ requestBody }) => requestBody),
  );
  const answered = namesIn(schemas, [operations.map(({ responses }) => responses), document.components?.responses]);
  for (const name of taken) {
    const schema = schemas[name];
    if (schema !== undefined && 'properties' in schema && !answered.has(name)) {
      schema.additionalProperties ??= false;
    }
  }
}

/** The schemas to which a part of the document refers, also through others. */
function namesIn(schemas: Readonly<Record<string, unknown>>, part: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [part];
  for (const next of waiting) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (!found.has(name)) {
        found.add(name);
        waiting.push(schemas[name]);
      }
    }
  }
  return found;
}

function isParameter(parameter: ParameterObject | ReferenceObject): parameter is ParameterObject {
  return 'name' in parameter;
}

/** Parameters of a path in its order, then the others by their place. */
function rank({ in: place, name }: ParameterObject, path: string): number {
  return place === 'path' ? path.indexOf(`{${name}}`) : path.length + PLACES.indexOf(place);
}

function withoutFilling(parameter: ParameterObject): ParameterObject {
  const { example, ...schema } = (parameter.schema ?? {}) as SchemaObject;
  if (parameter.required === true || example === undefined) {
    return parameter;
  }
  return {
    ...parameter,
    description: `${parameter.description ?? ''} E.g. \`${String(example)}\`.`.trimStart(),
    schema: { ...schema, examples: [example] },
  };
}
