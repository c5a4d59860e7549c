import { getSchemaPath, type ReferenceObject } from '@nestjs/swagger';

/** Points at a schema below `components`. */
export function schemaReference(name: string): ReferenceObject {
  return { $ref: getSchemaPath(name) };
}

/** Points at a response below `components`. */
export function responseReference(name: string): ReferenceObject {
  return { $ref: `#/components/responses/${name}` };
}
