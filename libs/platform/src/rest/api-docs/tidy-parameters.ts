import type { OpenAPIObject, ParameterObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

const PLACES: readonly ParameterObject['in'][] = ['path', 'query', 'header', 'cookie'];

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
