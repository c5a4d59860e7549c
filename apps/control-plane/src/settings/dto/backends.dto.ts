import { choice, FLAG } from '../kinds/basic-kinds.js';
import { HOST_PORT, HTTP_URL } from '../kinds/addresses.js';
import { COMMAND } from '../kinds/command.js';
import { FILE_PATH, SECRET_FILE } from '../kinds/files.js';
import { NAME_FORMAT } from '../kinds/name-formats.js';
import { SQL_IDENTIFIER, SQL_TABLE } from '../kinds/names.js';
import { Section, Setting, SettingList } from '../sections/setting.decorator.js';

export const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
export const ISOLATION_TYPES = [
  'physical',
  'keyspace_prefix',
  'subject_hierarchy',
  'topic_prefix',
  'row_level_security',
] as const;

export class BackendIsolationSection {
  @Setting(
    choice(ISOLATION_TYPES),
    '`physical` in `single_tenant`; else `keyspace_prefix` (redis), `subject_hierarchy` (nats), `topic_prefix` (kafka), `row_level_security` (postgres).',
    { required: true },
  )
  readonly type!: (typeof ISOLATION_TYPES)[number];

  @Setting(
    NAME_FORMAT,
    'Format of the names that proxies use, with `{tenant_id}`, then at its end `{key}`, `{subject}` or `{topic}`.',
    {
      appliesTo: 'redis, nats, kafka',
      computedDefault: '`tenant:{tenant_id}:{key}`, `tenant.{tenant_id}.{subject}`, `{tenant_id}.{topic}`',
    },
  )
  readonly format?: string;

  @Setting(FLAG, 'Only to say it again: rows are separated by row-level security.', {
    appliesTo: 'postgres',
    computedDefault: 'true',
  })
  readonly enable_rls?: boolean;

  @Setting(SQL_IDENTIFIER, 'Column with the tenant of a row.', {
    appliesTo: 'postgres',
    computedDefault: '`tenant_id`',
  })
  readonly tenant_column?: string;
}

export class ProvisioningSection {
  @Setting(
    SECRET_FILE,
    'File with the secret, of at least 32 characters, that passwords and keys of tenants are derived from; proxies have the same.',
    { required: true },
  )
  readonly tenant_secret_file!: string;

  @Setting(SECRET_FILE, 'File whose content is the URL to administer the backend with; required there.', {
    appliesTo: 'postgres, redis, kafka',
  })
  readonly admin_url_file?: string;

  @SettingList(SQL_TABLE, 'Tables with the tenant column, which row-level security is enabled for.', {
    maxItems: 10_000,
    appliesTo: 'postgres',
  })
  readonly tables: readonly string[] = [];

  @Setting(FLAG, 'Whether the server is told to write its `aclfile`; without one, users are gone when it restarts.', {
    appliesTo: 'redis',
    computedDefault: 'false',
  })
  readonly save_acl_file?: boolean;

  @Setting(
    FILE_PATH,
    'File with the users of tenants, which the configuration of the servers includes; required there.',
    {
      appliesTo: 'nats',
    },
  )
  readonly file?: string;

  @Setting(COMMAND, 'Has the servers read their configuration again; required there.', { appliesTo: 'nats' })
  readonly reload_command?: string | readonly string[];

  @Setting(COMMAND, 'Ends with 0 when the configuration is valid, before it is reloaded.', { appliesTo: 'nats' })
  readonly check_command?: string | readonly string[];

  @Setting(HTTP_URL, "A server's monitor, which says whether it has taken the file over.", { appliesTo: 'nats' })
  readonly monitor_url?: string;
}

export class BackendSection {
  @Setting(HOST_PORT, 'Address of the backend.', { required: true })
  readonly endpoint!: string;

  @Section(() => BackendIsolationSection, 'How tenants are separated; a text is the `type` alone.', {
    shorthand: 'type',
  })
  readonly isolation?: BackendIsolationSection;

  @Setting(
    choice(SSL_MODES),
    'TLS from proxies to the backend: none, unverified, certificate verified, host verified as well.',
  )
  readonly ssl_mode?: (typeof SSL_MODES)[number];

  @Setting(FLAG, 'Whether proxies authenticate with a client certificate.')
  readonly client_cert_auth?: boolean;

  @Section(() => ProvisioningSection, 'How the control plane prepares the backend for tenants; absent: it does not.')
  readonly provisioning?: ProvisioningSection;
}

export class BackendsSection {
  @Section(() => BackendSection, 'The relational database.')
  readonly postgres?: BackendSection;

  @Section(() => BackendSection, 'The key-value store.')
  readonly redis?: BackendSection;

  @Section(() => BackendSection, 'The message bus.')
  readonly nats?: BackendSection;

  @Section(() => BackendSection, 'The streaming platform.')
  readonly kafka?: BackendSection;
}
