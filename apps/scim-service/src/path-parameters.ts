import { parseNamespaceId, parseProviderId } from '@palisade/domain';
import { LABEL, PathParameter } from '@palisade/platform';

/** The provider id in a path, validated. */
export function ProviderParam(name: string, example: string): ParameterDecorator {
  return PathParameter(name, 'Id of the provider.', { ...LABEL, example }, parseProviderId);
}

/** The namespace in a path, validated. */
export function NamespaceParam(name: string, example: string): ParameterDecorator {
  return PathParameter(name, 'Name of the namespace.', { ...LABEL, example }, parseNamespaceId);
}

/** A user in a path, as given. */
export function UserParam(name: string, example: string): ParameterDecorator {
  return PathParameter(name, 'External id or full identifier of the user.', { minLength: 1, example });
}

/** The id of a token in a path, as given. */
export function TokenParam(name: string, example: string): ParameterDecorator {
  return PathParameter(name, 'Id of the token.', { format: 'uuid', example });
}
