import { Injectable, Param, type PipeTransform, type Type } from '@nestjs/common';
import { ApiParam, type SchemaObject } from '@nestjs/swagger';
import {
  parsePoolName,
  parseProxyId,
  parseTenantId,
  type PoolName,
  type ProxyId,
  type TenantId,
} from '@palisade/domain';
import { LABEL } from '@palisade/platform';

/** @throws {InvalidIdentifierError} */
@Injectable()
class TenantIdPipe implements PipeTransform<string, TenantId> {
  transform(text: string): TenantId {
    return parseTenantId(text);
  }
}

/** @throws {InvalidIdentifierError} */
@Injectable()
class PoolNamePipe implements PipeTransform<string, PoolName> {
  transform(text: string): PoolName {
    return parsePoolName(text);
  }
}

/** @throws {InvalidIdentifierError} */
@Injectable()
class ProxyIdPipe implements PipeTransform<string, ProxyId> {
  transform(text: string): ProxyId {
    return parseProxyId(text);
  }
}

/** The tenant id in a path, validated. */
export function TenantParam(): ParameterDecorator {
  return label('tenant_id', 'Id of the tenant.', 'acme', TenantIdPipe);
}

/** The name of a pool in a path, validated. */
export function PoolParam(): ParameterDecorator {
  return label('name', 'Name of the pool.', 'standard', PoolNamePipe);
}

/** The id of a proxy in a path, validated. */
export function ProxyParam(): ParameterDecorator {
  return identifier('id', 'Id of the proxy.', { minLength: 1, maxLength: 253, example: 'standard-1' }, ProxyIdPipe);
}

function label(name: string, description: string, example: string, pipe: Type<PipeTransform>): ParameterDecorator {
  return identifier(name, description, { ...LABEL, example }, pipe);
}

function identifier(
  name: string,
  description: string,
  schema: Pick<SchemaObject, 'minLength' | 'maxLength' | 'pattern' | 'example'>,
  pipe: Type<PipeTransform>,
): ParameterDecorator {
  const read = Param(name, pipe);
  return (target, key, index) => {
    read(target, key, index);
    const handler = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && handler !== undefined) {
      ApiParam({ name, description, schema: { type: 'string', ...schema }, required: true })(target, key, handler);
    }
  };
}
