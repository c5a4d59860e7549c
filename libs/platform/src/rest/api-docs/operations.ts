import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';

/** Every operation of a document, with its path. */
export function operationsOf({ paths }: OpenAPIObject): [path: string, operation: OperationObject][] {
  return Object.entries(paths).flatMap(([path, { get, post, put, patch, delete: remove }]) =>
    [get, post, put, patch, remove]
      .filter((operation) => operation !== undefined)
      .map((operation): [string, OperationObject] => [path, operation]),
  );
}
