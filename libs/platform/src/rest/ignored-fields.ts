import type { Type } from '@nestjs/common';
import { Allow, getMetadataStorage } from 'class-validator';

/**
 * Lets a body carry what only its answer has, so that an object can be read, edited and sent back. Mappers take what they know,
 * so these fields change nothing; those that are in neither are rejected as before.
 */
export function IgnoresFieldsOf(answer: Type): ClassDecorator {
  return (body) => {
    const own = new Set(fieldsOf(body));
    for (const name of fieldsOf(answer)) {
      if (!own.has(name)) {
        Allow()(body.prototype as object, name);
      }
    }
  };
}

/** The fields that decorators describe, those of base classes too. */
// eslint-disable-next-line typescript/no-unsafe-function-type
function fieldsOf(type: Function): string[] {
  return getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .map(({ propertyName }) => propertyName);
}
