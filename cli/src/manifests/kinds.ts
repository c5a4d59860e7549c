import { isDeepStrictEqual } from 'node:util';
import { isObject, parseBytes, parseCores } from '@palisade/domain';
import type { ApiRequest, ServiceName } from '../command/api-client.js';
import type { Schema } from './check-schema.js';
import { MANIFEST_SCHEMAS } from './generated-schemas.js';

export type Body = Readonly<Record<string, unknown>>;
export type KindName = keyof typeof MANIFEST_SCHEMAS;

/** An object as the service has it: what can be set of it, and what is known besides. */
export interface Current {
  readonly body: Body;
  readonly answer: Body;
}

/** A kind of objects that files describe. */
export interface Kind {
  readonly name: KindName;
  readonly service: ServiceName;
  readonly path: string;
  /** The fields that make up its id. */
  readonly key: readonly string[];
  /** The body with other spellings of the same thing replaced. */
  readonly tidy?: (body: Body) => Body;
  /** Fields that the service completes: what it has beyond the file is no difference. */
  readonly completed?: readonly string[];
  /** Fields that say how to create the object, and that it does not have. */
  readonly instructions?: readonly string[];
  readonly create: (body: Body) => ApiRequest;
  /** Undefined for an object that cannot be changed, only removed. */
  readonly update?: (body: Body, current: Current) => ApiRequest;
  readonly remove: (current: Current) => ApiRequest;
  /** Who manages it, if not the API. */
  readonly managedBy?: (answer: Body) => string | undefined;
}

const text = (value: unknown): string => String(value);

/** In the order in which they are created: a binding names groups of a provider. */
export const KINDS: readonly Kind[] = [
  {
    name: 'provider',
    service: 'scim-service',
    path: '/api/v1/providers',
    key: ['id'],
    completed: ['extensions'],
    tidy: (body) => ({ extensions: [], trusted_issuers: [], ...body }),
    create: (body) => ({ method: 'POST', path: '/api/v1/providers', body }),
    update: ({ id, ...body }) => ({
      method: 'PUT',
      path: '/api/v1/providers/{id}',
      parameters: { id: text(id) },
      body,
    }),
    remove: ({ body: { id } }) => ({ method: 'DELETE', path: '/api/v1/providers/{id}', parameters: { id: text(id) } }),
  },
  {
    name: 'tenant',
    service: 'control-plane',
    path: '/api/v1/tenants',
    key: ['tenant_id'],
    tidy: tidyTenant,
    create: (body) => ({ method: 'POST', path: '/api/v1/tenants', body }),
    update: (body, { answer }) => ({ method: 'PUT', ...tenantOf(answer), body }),
    remove: ({ answer }) => ({ method: 'DELETE', ...tenantOf(answer) }),
    managedBy: ({ source }) => (source === 'api' ? undefined : text(source)),
  },
  {
    name: 'proxy',
    service: 'control-plane',
    path: '/api/v1/proxies',
    key: ['id'],
    create: (body) => ({ method: 'POST', path: '/api/v1/proxies', body }),
    update: (body) => ({ method: 'POST', path: '/api/v1/proxies', body }),
    remove: ({ body: { id } }) => ({ method: 'DELETE', path: '/api/v1/proxies/{id}', parameters: { id: text(id) } }),
    managedBy: ({ source }) => (source === 'registration' ? undefined : text(source)),
  },
  {
    name: 'binding',
    service: 'scim-service',
    path: '/api/v1/bindings',
    key: ['namespace', 'bound_subject', 'relation'],
    instructions: ['pending'],
    tidy: ({ source_group: alias, ...body }) => ({ ...(alias !== undefined && { bound_subject: alias }), ...body }),
    create: (body) => ({ method: 'POST', path: '/api/v1/bindings', body }),
    remove: ({ body: { namespace, bound_subject, relation } }) => ({
      method: 'DELETE',
      path: '/api/v1/bindings',
      query: { namespace, bound_subject, relation },
    }),
  },
];

export function schemaOf(kind: Kind): Schema {
  return MANIFEST_SCHEMAS[kind.name].schema;
}

/** Fields that answers have and that nobody can set. */
export function readOnlyFieldsOf(kind: Kind): readonly string[] {
  return MANIFEST_SCHEMAS[kind.name].readOnly;
}

/** What can be set, with the defaults for what is not said: two bodies that mean the same are equal. */
export function settable(kind: Kind, fields: Body): Body {
  const { properties = {} } = schemaOf(kind);
  const body: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const value = Object.hasOwn(fields, name) ? fields[name] : schema.default;
    if (value !== undefined && value !== null) {
      body[name] = value;
    }
  }
  return kind.tidy?.(body) ?? body;
}

export function idOf(kind: Kind, body: Body): string {
  return kind.key.map((field) => text(body[field])).join(' ');
}

/** The fields in which an object is not as it should be. */
export function differences(kind: Kind, wanted: Body, current: Body): string[] {
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(current)])];
  return names.filter((name) => {
    const isSame = kind.completed?.includes(name)
      ? covers(current[name], wanted[name])
      : isDeepStrictEqual(measured(current[name]), measured(wanted[name]));
    return !isSame && !kind.instructions?.includes(name);
  });
}

/** Whether a value has everything that another one has. */
function covers(whole: unknown, part: unknown): boolean {
  if (Array.isArray(whole) && Array.isArray(part)) {
    return whole.length === part.length && part.every((item, index) => covers(whole[index], item));
  }
  return isObject(whole) && isObject(part)
    ? Object.entries(part).every(([name, value]) => covers(whole[name], value))
    : isDeepStrictEqual(whole, part);
}

/** `1Gi` and `1024Mi` are the same memory, `500m` and `0.5` the same processors. */
function measured(value: unknown): unknown {
  if (!isObject(value)) {
    return value;
  }
  const { cpu, memory, ...rest } = value;
  return {
    ...rest,
    ...(typeof cpu === 'string' && { cpu: parseCores(cpu) ?? cpu }),
    ...(typeof memory === 'string' && { memory: parseBytes(memory) ?? memory }),
  };
}

function tidyTenant({ namespace_pattern: one, namespace_patterns: several, ...body }: Body): Body {
  const patterns = [...(Array.isArray(several) ? several.map(text) : []), ...(one === undefined ? [] : [text(one)])];
  return { ...body, namespace_patterns: [...new Set(patterns)].sort() };
}

/** Where to change a tenant; one that somebody else changes meanwhile is left alone. */
function tenantOf({ tenant_id: id, version }: Body): Pick<ApiRequest, 'path' | 'parameters' | 'headers'> {
  return {
    path: '/api/v1/tenants/{tenant_id}',
    parameters: { tenant_id: text(id) },
    headers: { 'If-Match': `"${text(version)}"` },
  };
}
