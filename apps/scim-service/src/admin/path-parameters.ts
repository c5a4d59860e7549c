import { Injectable, Param, type PipeTransform, type Type } from '@nestjs/common';
import { ApiParam, type SchemaObject } from '@nestjs/swagger';
import { type NamespaceId, parseNamespaceId, parseProviderId, type ProviderId } from '@palisade/domain';
import { LABEL } from '@palisade/platform';

/** @throws {InvalidIdentifierError} */
@Injectable()
export class ProviderIdPipe implements PipeTransform<string, ProviderId> {
  transform(text: string): ProviderId {
    return parseProviderId(text);
  }
}

/** @throws {InvalidIdentifierError} */
@Injectable()
export class NamespaceIdPipe implements PipeTransform<string, NamespaceId> {
  transform(text: string): NamespaceId {
    return parseNamespaceId(text);
  }
}

interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: SchemaObject;
  readonly pipe?: Type<PipeTransform>;
}

/** The provider id in a path, validated. */
export function ProviderParam(name: string, example: string): ParameterDecorator {
  const schema = { type: 'string', ...LABEL, example };
  return described({ name, description: 'Id of the provider.', schema, pipe: ProviderIdPipe });
}

/** The namespace in a path, validated. */
export function NamespaceParam(name: string, example: string): ParameterDecorator {
  const schema = { type: 'string', ...LABEL, example };
  return described({ name, description: 'Name of the namespace.', schema, pipe: NamespaceIdPipe });
}

/** A user in a path, as given. */
export function UserParam(name: string, example: string): ParameterDecorator {
  const schema = { type: 'string', minLength: 1, example };
  return described({ name, description: 'External id or full identifier of the user.', schema });
}

/** The id of a token in a path, as given. */
export function TokenParam(name: string, example: string): ParameterDecorator {
  return described({ name, description: 'Id of the token.', schema: { type: 'string', format: 'uuid', example } });
}

function described({ name, description, schema, pipe }: PathParameter): ParameterDecorator {
  const read = pipe === undefined ? Param(name) : Param(name, pipe);
  return (target, key, index) => {
    read(target, key, index);
    const handler = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && handler !== undefined) {
      ApiParam({ name, description, schema, required: true })(target, key, handler);
    }
  };
}
