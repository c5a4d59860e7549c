import type { BackendKind } from '@palisade/domain';
import { textKind, type Kind } from './kind.js';

/** A backend that separates tenants by the names of what they use. */
export interface NamedBackend {
  readonly type: 'keyspace_prefix' | 'subject_hierarchy' | 'topic_prefix';
  /** What stands for the name that a proxy's caller gives. */
  readonly variable: string;
  /** Of document 2. */
  readonly defaultFormat: string;
  /** What may stand before `{tenant_id}`. */
  readonly before: RegExp;
  /** What may stand between the variables: its first character can be in no tenant id. */
  readonly between: RegExp;
  readonly delimiters: string;
}

export const NAMED_BACKENDS: Readonly<Partial<Record<BackendKind, NamedBackend>>> = {
  redis: {
    type: 'keyspace_prefix',
    variable: '{key}',
    defaultFormat: 'tenant:{tenant_id}:{key}',
    before: /^[\w:./|-]*$/,
    between: /^[:./|_][\w:./|-]*$/,
    delimiters: ': . / | or _',
  },
  // Whole tokens, none of which the server has reserved (`_INBOX`, `$JS`).
  nats: {
    type: 'subject_hierarchy',
    variable: '{subject}',
    defaultFormat: 'tenant.{tenant_id}.{subject}',
    before: /^(?:[A-Za-z0-9][\w-]*\.)*$/,
    between: /^\.(?:[A-Za-z0-9][\w-]*\.)*$/,
    delimiters: '"."',
  },
  kafka: {
    type: 'topic_prefix',
    variable: '{topic}',
    defaultFormat: '{tenant_id}.{topic}',
    before: /^[A-Za-z0-9][\w.-]*$|^$/,
    between: /^[._][\w.-]*$/,
    delimiters: '. or _',
  },
};

const TENANT = '{tenant_id}';
const MAX_FORMAT_LENGTH = 128;

/** Any format; `explainFormat` says what is wrong with it for one backend. */
export const NAME_FORMAT: Kind<string> = textKind(
  'a format with {tenant_id}, such as "tenant:{tenant_id}:{key}"',
  '\\{tenant_id\\}',
  (value) => (value.length <= MAX_FORMAT_LENGTH && value.includes(TENANT) ? value : undefined),
);

/**
 * What the format lacks for names to keep tenants apart, or for the backend to accept them; undefined when it lacks
 * nothing. Names of a tenant are those that begin with the format up to the variable: so that no tenant's beginning is
 * one of another's, what follows `{tenant_id}` can be in no id.
 */
export function findFormatFault(format: string, backend: NamedBackend): string | undefined {
  const { variable, before, between, delimiters } = backend;
  const [prefix = '', suffix = '', ...more] = format.split(TENANT);
  if (more.length > 0) {
    return `a format with ${TENANT} once`;
  }
  const middle = suffix.slice(0, -variable.length);
  if (!suffix.endsWith(variable) || /[{}]/.test(prefix + middle)) {
    return `a format with ${TENANT}, at its end ${variable}, and no other variable`;
  }
  if (!between.test(middle)) {
    return `a format with ${delimiters} after ${TENANT}, which no tenant id contains`;
  }
  return before.test(prefix) ? undefined : `a format whose names the backend accepts`;
}
