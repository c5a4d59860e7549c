import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader, ApiParam, type SchemaObject } from '@nestjs/swagger';
import type { Request } from 'express';

/** A part of the path: how it is read, and what the API pages show. `parse` throws when it has the wrong form. */
export function PathParameter(
  name: string,
  description: string,
  schema: SchemaObject,
  parse: (text: string) => unknown = (text) => text,
): ParameterDecorator {
  const shown = ApiParam({ name, description, schema: { type: 'string', ...schema }, required: true });
  return parameter(({ params }) => parse(String(params[name])), shown);
}

/** An optional header: how it is read, and what the API pages show. */
export function HeaderParameter(
  name: string,
  description: string,
  schema: SchemaObject,
  parse: (text: string | undefined) => unknown,
): ParameterDecorator {
  const shown = ApiHeader({ name, description, schema: { type: 'string', ...schema }, required: false });
  return parameter((request) => parse(request.get(name)), shown);
}

function parameter(read: (request: Request) => unknown, shown: MethodDecorator): ParameterDecorator {
  const show: ParameterDecorator = (target, key) => {
    const handler = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && handler !== undefined) {
      shown(target, key, handler);
    }
  };
  return createParamDecorator(
    (_: undefined, context: ExecutionContext) => read(context.switchToHttp().getRequest<Request>()),
    [show],
  )();
}
