import { randomUUID } from 'node:crypto';
import type { TenantId } from '@palisade/domain';
import { type NameTemplate, parseNameTemplate } from '../name-template.js';
import { generatePassword, MIN_PASSWORD_LENGTH } from '../passwords.js';
import {
  type AclUser,
  COMMAND_RULES,
  digestOf,
  type ExpectedUser,
  findDrift,
  readAclUser,
  userRules,
} from './acl-user.js';
import { DEFAULT_KEY_FORMAT } from './key-space.js';
import { type RedisArgument, RedisLink } from './redis-link.js';
import type { RedisConnectOptions } from './redis-options.js';

export interface RedisProvisionerOptions {
  /** How to connect as somebody who may administer users. */
  readonly config: RedisConnectOptions;
  /** As the driver has it. Default `tenant:{tenant_id}:{namespace}:{key}`. */
  readonly keyFormat?: string;
  /** What the names of users begin with, before the tenant's id: letters, digits, `.`, `:`, `_`, `-`. Default `tenant-`. */
  readonly userPrefix?: string;
  /** Has the server write its file of users after each change. It has to have one (`aclfile`). Default false. */
  readonly savesAclFile?: boolean;
  /** How long the server may take for one command. Default 5,000. */
  readonly commandTimeoutMs?: number;
}

export interface RedisUser {
  readonly username: string;
  /** Undefined when the user keeps the one that it had. */
  readonly password: string | undefined;
}

const DEFAULT_COMMAND_TIMEOUT_MS = 5_000;
const DEFAULT_USER = 'default';

/**
 * The users of tenants on a Redis server: one each, who may do what the scoped client does, with the keys and channels of
 * all namespaces of the tenant. So the server denies what the scoped client would never ask for.
 */
export class RedisProvisioner {
  readonly #options: RedisProvisionerOptions;
  readonly #template: NameTemplate;
  readonly #userPrefix: string;

  /** @throws {InvalidSettingsError} when the key format is invalid */
  constructor(options: RedisProvisionerOptions) {
    const { keyFormat = DEFAULT_KEY_FORMAT, userPrefix = 'tenant-' } = options;
    if (!/^[\w.:-]{0,64}$/.test(userPrefix)) {
      throw new TypeError('userPrefix: expected at most 64 letters, digits, ".", ":", "_" and "-"');
    }
    this.#options = options;
    this.#template = parseNameTemplate(keyFormat, 'key');
    this.#userPrefix = userPrefix;
  }

  usernameOf(tenantId: TenantId): string {
    return `${this.#userPrefix}${tenantId}`;
  }

  /**
   * Makes the user of a tenant what it should be, whatever it was. Without a password the user keeps the one that it
   * has, and a new user gets one of 256 random bits.
   *
   * @throws {TypeError} when the password has fewer than 16 characters
   */
  async apply(tenantId: TenantId, password?: string): Promise<RedisUser> {
    if (password !== undefined && password.length < MIN_PASSWORD_LENGTH) {
      throw new TypeError(`password: expected at least ${MIN_PASSWORD_LENGTH} characters`);
    }
    const username = this.usernameOf(tenantId);
    return this.#administer(async (send) => {
      const kept =
        password === undefined ? readAclUser(await send(['ACL', 'GETUSER', username]))?.passwords : undefined;
      const isNew = kept === undefined || kept.length === 0;
      const given = isNew ? (password ?? generatePassword()) : undefined;
      const digests = given === undefined ? (kept ?? []) : [digestOf(given)];
      await send(['ACL', 'SETUSER', username, ...userRules(this.#template.tenantPrefix(tenantId), digests)]);
      await this.#save(send);
      return { username, password: given };
    });
  }

  /**
   * How the server differs from what {@link apply} makes of it, each difference as a sentence; empty when it does not.
   * With a password also whether the user has that one.
   */
  async verify(tenantId: TenantId, password?: string): Promise<readonly string[]> {
    const username = this.usernameOf(tenantId);
    return this.#administer(async (send) => {
      const user = readAclUser(await send(['ACL', 'GETUSER', username]));
      const anybody = readAclUser(await send(['ACL', 'GETUSER', DEFAULT_USER]));
      const expected: ExpectedUser = {
        prefix: this.#template.tenantPrefix(tenantId),
        commands: await describeCommands(send),
        digest: password === undefined ? undefined : digestOf(password),
      };
      const drift = user === undefined ? ['there is no such user'] : findDrift(user, expected);
      return [
        ...drift.map((difference) => `user ${username}: ${difference}`),
        ...(isOpen(anybody) ? [`user ${DEFAULT_USER}: it needs no password, so that anybody may do what it may`] : []),
      ];
    });
  }

  /** Removes the user and ends its connections; false when there was no such user. */
  async remove(tenantId: TenantId): Promise<boolean> {
    return this.#administer(async (send) => {
      const removed = await send(['ACL', 'DELUSER', this.usernameOf(tenantId)]);
      await this.#save(send);
      return removed === 1;
    });
  }

  async #save(send: Send): Promise<void> {
    if (this.#options.savesAclFile === true) {
      await send(['ACL', 'SAVE']);
    }
  }

  async #administer<T>(work: (send: Send) => Promise<T>): Promise<T> {
    const { config, commandTimeoutMs = DEFAULT_COMMAND_TIMEOUT_MS } = this.#options;
    const link = await RedisLink.open({ connect: config, commandTimeoutMs }, AbortSignal.timeout(commandTimeoutMs));
    try {
      return await work((args) => link.send(args, 'text'));
    } finally {
      await link.close();
    }
  }
}

/** How this server describes what users may do: asks it about one who may do nothing else, and is there for no time. */
async function describeCommands(send: Send): Promise<readonly string[]> {
  const name = `palisade-${randomUUID()}`;
  const steps = [
    ['MULTI'],
    ['ACL', 'SETUSER', name, 'reset', 'off', ...COMMAND_RULES],
    ['ACL', 'GETUSER', name],
    ['ACL', 'DELUSER', name],
    ['EXEC'],
  ];
  const replies = (await Promise.all(steps.map(send))).at(-1);
  return (Array.isArray(replies) ? readAclUser(replies[1])?.commands : undefined) ?? [];
}

type Send = (args: readonly RedisArgument[]) => Promise<unknown>;

function isOpen(user: AclUser | undefined): boolean {
  return user !== undefined && user.flags.includes('on') && user.flags.includes('nopass');
}
