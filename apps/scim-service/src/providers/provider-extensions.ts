import { RESOURCE_TYPES, type SchemaExtension } from '@palisade/domain';
import { ScimError, createResourceSchema, validateExtension } from '@palisade/scim';
import { InvalidRequestError } from '@palisade/platform';

/**
 * A provider's schema extensions from a request body.
 *
 * @throws {InvalidRequestError} naming the first thing that is wrong
 */
export function readExtensions(bodies: readonly unknown[]): readonly SchemaExtension[] {
  try {
    const extensions = bodies.map((body, index) => validateExtension(withDomainNames(body), `extensions[${index}]`));
    for (const type of RESOURCE_TYPES) {
      createResourceSchema(type, extensions);
    }
    return extensions;
  } catch (error) {
    if (error instanceof ScimError) {
      throw new InvalidRequestError('extensions', `valid schema extensions; ${error.detail}`, { cause: error });
    }
    throw error;
  }
}

function withDomainNames(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('resource_type' in body)) {
    return body;
  }
  const { resource_type: resourceType, ...rest } = body;
  return { ...rest, resourceType };
}
