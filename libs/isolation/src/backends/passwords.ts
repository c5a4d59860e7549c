import { randomBytes } from 'node:crypto';

/** The least length of the passwords that users of namespaces are given. */
export const MIN_PASSWORD_LENGTH = 16;

const GENERATED_BYTES = 32;

export function generatePassword(): string {
  return randomBytes(GENERATED_BYTES).toString('base64url');
}

/** Whether a part of credentials is present. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
