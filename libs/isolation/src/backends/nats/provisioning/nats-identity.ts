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
 * @throws {TypeError} when it is none; secrets are none
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
