import type { NamespaceId, TenantId } from '@palisade/domain';
import { NatsNames } from '../subject-space.js';

/** Who connects: the owner of a key, or a user with a password. */
export type NatsIdentity =
  | {
      /** The public key, which begins with `U`. */
      readonly nkey: string;
    }
  | {
      /** 1 to 64 letters, digits, `.`, `_` and `-`. */
      readonly user: string;
      /** As `nats server passwd` makes it: bcrypt, beginning with `$2a$`. */
      readonly passwordHash: string;
    };

const NKEY = /^U[A-Z2-7]{55}$/;
const USER = /^[\w.-]{1,64}$/;
const PASSWORD_HASH = /^\$2a\$\d\d\$[./A-Za-z0-9]{53}$/;

/**
 * As the servers' configuration has it.
 *
 * @throws {TypeError} when it is invalid, as secrets are
 */
export function renderIdentity(identity: NatsIdentity): string {
  if ('nkey' in identity) {
    if (!NKEY.test(identity.nkey)) {
      throw new TypeError('nkey: expected a public key of a user: U and 55 of A-Z and 2-7');
    }
    return `nkey: ${quote(identity.nkey)}`;
  }
  if (!USER.test(identity.user)) {
    throw new TypeError('user: expected 1 to 64 letters, digits, ".", "_" and "-"');
  }
  if (!PASSWORD_HASH.test(identity.passwordHash)) {
    throw new TypeError(`passwordHash of user ${quote(identity.user)}: expected bcrypt, beginning with $2a$`);
  }
  return `user: ${quote(identity.user)}, password: ${quote(identity.passwordHash)}`;
}

/**
 * A text in the servers' configuration.
 *
 * @throws {TypeError} when it has anything but printable characters of ASCII, or quotes, or backslashes
 */
export function quote(text: string): string {
  if (!/^[\x20-\x7e]*$/.test(text) || /["\\]/.test(text)) {
    throw new TypeError('expected printable characters of ASCII without quotes and backslashes');
  }
  return `"${text}"`;
}

/** What an account may keep in streams. */
export interface NatsStorageLimits {
  readonly maxMemoryBytes: number;
  readonly maxFileBytes: number;
  readonly maxStreams: number;
  readonly maxConsumers: number;
}

export interface NatsStreamName {
  readonly namespace: NamespaceId;
  readonly name: string;
}

export interface NatsTenant {
  readonly tenantId: TenantId;
  readonly identities: readonly NatsIdentity[];
  /** With `permissions`: the streams of its namespaces, by the names that they give them. Nothing else of JetStream is allowed. */
  readonly streams?: readonly NatsStreamName[];
  /** With `accounts`: what it may keep in streams. Absent: nothing. */
  readonly storage?: NatsStorageLimits;
}

export interface NatsUserFile {
  /**
   * `accounts`: each tenant has an account, which is a world of its own: nothing leads from one to another. The file is to be
   * included in `accounts { … }`.
   *
   * `permissions`: tenants share an account, and users may use subjects of their tenant only. The file is to be included in
   * that account, or in `authorization { … }`.
   */
  readonly form: 'accounts' | 'permissions';
  readonly tenants: readonly NatsTenant[];
  /** With `permissions`: who may do everything in the account, such as the service that makes streams. */
  readonly trusted?: readonly NatsIdentity[];
}

const HEADER = '# Made by Palisade, which overwrites what is changed here.\n';

/**
 * The users of tenants as configuration of NATS servers: the same for the same tenants, whatever their order.
 *
 * @throws {TypeError} when an identity is invalid, or two tenants are the same; {InvalidNameError} when a stream's name is invalid
 */
export function renderNatsUsers({ form, tenants, trusted = [] }: NatsUserFile, names: NatsNames): string {
  const sorted = tenants.toSorted((one, other) => (one.tenantId < other.tenantId ? -1 : 1));
  requireDistinct(sorted.map(({ tenantId }) => tenantId));
  if (form === 'accounts') {
    return HEADER + sorted.map(renderAccount).join('');
  }
  const users = [
    ...trusted.map((identity) => `{ ${renderIdentity(identity)} }`),
    ...sorted.flatMap((tenant) => renderRestricted(tenant, names)),
  ];
  return `${HEADER}users: [\n${users.map((user) => `  ${user}\n`).join('')}]\n`;
}

function renderAccount({ tenantId, identities, storage }: NatsTenant): string {
  const users = identities.map((identity) => `    { ${renderIdentity(identity)} }\n`).join('');
  const jetstream = storage === undefined ? '' : `  jetstream: ${renderStorage(storage)}\n`;
  return `${quote(`tenant-${tenantId}`)}: {\n${jetstream}  users: [\n${users}  ]\n}\n`;
}

function renderStorage({ maxMemoryBytes, maxFileBytes, maxStreams, maxConsumers }: NatsStorageLimits): string {
  const limits = {
    max_mem: maxMemoryBytes,
    max_file: maxFileBytes,
    max_streams: maxStreams,
    max_consumers: maxConsumers,
  };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new TypeError(`${name}: expected a whole number of at least 0, found ${value}`);
    }
  }
  return `{ ${Object.entries(limits)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`;
}

function renderRestricted({ tenantId, identities, streams = [] }: NatsTenant, names: NatsNames): string[] {
  const own = names.subjectsOf(tenantId);
  const ownStreams = streams.map(({ namespace, name }) => names.of({ tenantId, namespace }).stream(name));
  const publish = [...own, ...ownStreams.toSorted().flatMap(streamSubjects)];
  const permissions = `publish: { allow: ${renderList(publish)} }, subscribe: { allow: ${renderList(own)} }`;
  return identities.map((identity) => `{ ${renderIdentity(identity)}, permissions: { ${permissions} } }`);
}

/**
 * For fetching from consumers that somebody else has made. Whoever may make streams or consumers can have them take in and
 * send out any subject: what they say of that is in the body, which permissions do not look at.
 */
function streamSubjects(stream: string): string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.INFO.${stream}.*`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
    `$JS.ACK.${stream}.>`,
  ];
}

function renderList(subjects: readonly string[]): string {
  return `[${subjects.map(quote).join(', ')}]`;
}

function requireDistinct(tenants: readonly string[]): void {
  if (new Set(tenants).size < tenants.length) {
    throw new TypeError('tenants: expected each once');
  }
}
