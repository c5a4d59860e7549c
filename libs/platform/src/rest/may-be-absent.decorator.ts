import { ValidateIf } from 'class-validator';

/**
 * The field's other checks apply only when it is there. Unlike `IsOptional`, this does not let null pass, which would
 * replace a default and then be nobody's business until it reaches the store.
 */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_, value: unknown) => value !== undefined);
}
