import type { BackendKind } from '@palisade/domain';
import { choice, FLAG, list, optional, required, section, textOf, withDefault } from '@palisade/isolation/settings';
import type { z } from 'zod';
import { SQL_IDENTIFIER, SQL_TABLE } from './names.js';
import { COMMAND, FILE_PATH, HOST_PORT, HTTP_URL, SECRET_FILE } from './places.js';

/** How names keep tenants apart in a backend. */
export interface NamedBackend {
  /** What stands for the name that a proxy's client gives. */
  readonly variable: string;
  readonly defaultFormat: string;
  /** What may precede `{tenant_id}`. */
  readonly before: RegExp;
  /** What may separate the variables: its first character can be in no tenant id and no namespace. */
  readonly between: RegExp;
  readonly delimiters: string;
}

export const NAMED_BACKENDS = {
  redis: {
    variable: '{key}',
    defaultFormat: 'tenant:{tenant_id}:{key}',
    before: /^[\w:./|-]*$/,
    between: /^[:./|_][\w:./|-]*$/,
    delimiters: ': . / | or _',
  },
  // Whole tokens, none of which the server has reserved (`_INBOX`, `$JS`).
  nats: {
    variable: '{subject}',
    defaultFormat: 'tenant.{tenant_id}.{subject}',
    before: /^(?:[A-Za-z0-9][\w-]*\.)*$/,
    between: /^\.(?:[A-Za-z0-9][\w-]*\.)*$/,
    delimiters: '"."',
  },
  kafka: {
    variable: '{topic}',
    defaultFormat: '{tenant_id}.{topic}',
    before: /^[A-Za-z0-9][\w.-]*$|^$/,
    between: /^[._][\w.-]*$/,
    delimiters: '. or _',
  },
} satisfies Partial<Record<BackendKind, NamedBackend>>;

const TENANT = '{tenant_id}';
const NAMESPACE = '{namespace}';
const MAX_FORMAT_LENGTH = 128;

function nameFormat(backend: NamedBackend): z.ZodType<string, string> {
  return textOf({
    expected: `a format such as "${backend.defaultFormat}"`,
    pattern: /\{tenant_id\}/,
    read: (format) => (findFormatFault(format, backend) === undefined ? format : undefined),
    explain: (format) => findFormatFault(format, backend),
  });
}

/**
 * What a format lacks for names to keep tenants apart, or for the backend to accept them; undefined when it lacks
 * nothing. Names of a tenant are those that begin with the format up to `{tenant_id}` and what follows it: so that no
 * tenant's beginning is one of another's, that can be in no id. The same holds for `{namespace}`, which may be left out.
 */
export function findFormatFault(
  format: string,
  { variable, before, between, delimiters }: NamedBackend,
): string | undefined {
  const [prefix = '', suffix, ...more] = format.split(TENANT);
  if (suffix === undefined || more.length > 0 || format.length > MAX_FORMAT_LENGTH) {
    return `expected ${TENANT} once`;
  }
  const middle = suffix.slice(0, -variable.length);
  const parts = middle.split(NAMESPACE);
  if (!suffix.endsWith(variable) || parts.length > 2 || /[{}]/.test(prefix + parts.join(''))) {
    return `expected ${variable} at its end, and no other variable than ${NAMESPACE} between`;
  }
  if (!parts.every((part) => between.test(part))) {
    return `expected ${delimiters} after ${TENANT} and ${NAMESPACE}, which no id contains`;
  }
  return before.test(prefix) ? undefined : 'the backend would not accept such names';
}

/** Tenants are told apart by the names of what they use. */
function namesIsolation<const T extends string>(type: T, backend: NamedBackend) {
  return section(
    {
      type: required(choice(['physical', type]), `\`physical\` in \`single_tenant\`, else \`${type}\`.`),
      format: optional(
        nameFormat(backend),
        `Format of the names that proxies use: \`{tenant_id}\`, a delimiter, \`{namespace}\`, a delimiter, and ` +
          `\`${backend.variable}\` at its end. Without \`{namespace}\` that stands before \`${backend.variable}\`.`,
        { appliesTo: `\`${type}\``, computedDefault: `\`${backend.defaultFormat}\`` },
      ),
    },
    { shorthand: 'type' },
  );
}

const ROWS_ISOLATION = section(
  {
    type: required(
      choice(['physical', 'row_level_security']),
      '`physical` in `single_tenant`, else `row_level_security`.',
    ),
    enable_rls: optional(FLAG, 'States what the type implies: row-level security separates rows.', {
      appliesTo: '`row_level_security`',
      computedDefault: 'true',
    }),
    tenant_column: optional(
      SQL_IDENTIFIER,
      'Column with the tenant of a row: its id, or `<tenant_id>/<namespace>` for a namespace of another name.',
      {
        appliesTo: '`row_level_security`',
        computedDefault: '`tenant_id`',
      },
    ),
  },
  { shorthand: 'type' },
);

const TENANT_SECRET = {
  tenant_secret_file: required(
    SECRET_FILE,
    'File with the secret, of at least 32 characters, that passwords and keys of tenants are derived from; proxies have the same.',
  ),
};

const ADMINISTERED = {
  ...TENANT_SECRET,
  admin_url_file: required(SECRET_FILE, 'File whose content is the URL to administer the backend with.'),
};

const POSTGRES_PROVISIONING = section({
  ...ADMINISTERED,
  tables: withDefault(
    list(SQL_TABLE, 10_000),
    [],
    'Tables with the tenant column, which row-level security is enabled for.',
  ),
});

const REDIS_PROVISIONING = section({
  ...ADMINISTERED,
  save_acl_file: withDefault(
    FLAG,
    false,
    'Whether the server is told to write its `aclfile`; without one, users are gone when it restarts.',
    { property: 'savesAclFile' },
  ),
});

const NATS_PROVISIONING = section({
  ...TENANT_SECRET,
  file: required(FILE_PATH, 'File with the users of tenants, which the configuration of the servers includes.'),
  reload_command: required(COMMAND, 'Has the servers read their configuration again.'),
  check_command: optional(COMMAND, 'Ends with 0 when the configuration is valid, before it is reloaded.'),
  monitor_url: optional(HTTP_URL, "A server's monitor, which says whether it has loaded the file."),
});

export const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

/** The same section for each backend. */
export function perBackend<S extends z.ZodType>(backend: S) {
  return {
    postgres: optional(backend, 'The relational database.'),
    redis: optional(backend, 'The key-value store.'),
    nats: optional(backend, 'The message bus.'),
    kafka: optional(backend, 'The streaming platform.'),
  };
}

function backend<I extends z.ZodType, P extends z.ZodType>(isolation: I, provisioning: P) {
  return section({
    endpoint: required(HOST_PORT, 'Address of the backend.'),
    isolation: optional(isolation, 'How tenants are separated; a text is the `type` alone.'),
    ssl_mode: optional(
      choice(SSL_MODES),
      'TLS from proxies to the backend: none, unverified, certificate verified, host verified as well.',
    ),
    client_cert_auth: optional(FLAG, 'Whether proxies authenticate with a client certificate.'),
    provisioning: optional(
      provisioning,
      'How the control plane prepares the backend for tenants; absent: it does not.',
    ),
  });
}

export const BACKENDS = section({
  postgres: optional(backend(ROWS_ISOLATION, POSTGRES_PROVISIONING), 'The relational database.'),
  redis: optional(
    backend(namesIsolation('keyspace_prefix', NAMED_BACKENDS.redis), REDIS_PROVISIONING),
    'The key-value store.',
  ),
  nats: optional(
    backend(namesIsolation('subject_hierarchy', NAMED_BACKENDS.nats), NATS_PROVISIONING),
    'The message bus.',
  ),
  kafka: optional(
    backend(namesIsolation('topic_prefix', NAMED_BACKENDS.kafka), section(ADMINISTERED)),
    'The streaming platform.',
  ),
});

/** How tenants are separated in a shared backend; there is one way for each. */
export const SHARED_ISOLATION = {
  postgres: 'row_level_security',
  redis: 'keyspace_prefix',
  nats: 'subject_hierarchy',
  kafka: 'topic_prefix',
} as const satisfies Record<BackendKind, string>;
