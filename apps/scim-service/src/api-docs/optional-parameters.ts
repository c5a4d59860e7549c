import type { OpenAPIObject, ParameterObject, SchemaObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

/**
 * Tells the example of each optional parameter in its description instead of in its schema: Swagger UI fills in the
 * latter, and would send a filter that nobody asked for with every request.
 */
export function keepOptionalParametersEmpty(document: OpenAPIObject): void {
  for (const { parameters = [] } of operationsOf(document)) {
    for (const parameter of parameters) {
      if ('name' in parameter && parameter.required !== true) {
        keepEmpty(parameter);
      }
    }
  }
}

function keepEmpty(parameter: ParameterObject): void {
  const { example, ...schema } = (parameter.schema ?? {}) as SchemaObject;
  if (example !== undefined) {
    parameter.schema = { ...schema, examples: [example] };
    parameter.description = `${parameter.description ?? ''} E.g. \`${String(example)}\`.`.trimStart();
  }
}
