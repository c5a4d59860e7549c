import { isDate, isNativeError } from 'node:util/types';
import { redactText } from '@palisade/domain';

const CENSORED = '[redacted]';
const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;
const SECRET_NAME = /(?:token|secret|password|passphrase|authorization|cookie|assertion|privatekey|apikey)$/;

/**
 * A copy of a value fit for a log: values of properties named like secrets (`authorization`, `access_token`, `clientSecret`,
 * …) are replaced, depth and number of entries are bounded.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return redactText(value);
  }
  if (typeof value === 'bigint') {
    return value.toString();
  }
  if (isNativeError(value)) {
    return describeError(value, depth);
  }
  if (isDate(value) || typeof value !== 'object' || value === null) {
    return value;
  }
  if (depth >= MAX_DEPTH) {
    return '[…]';
  }
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ENTRIES).map((each) => redact(each, depth + 1));
  }
  return redactFields(value, depth);
}

/** Type, code, message and stack of an error and of its causes; never its other properties, which may hold data. */
function describeError(error: Error, depth: number): Readonly<Record<string, unknown>> {
  return {
    type: error.name,
    ...('code' in error && { code: redact(error.code, MAX_DEPTH) }),
    message: redactText(error.message),
    stack: error.stack === undefined ? undefined : redactText(error.stack),
    ...(isNativeError(error.cause) && depth < MAX_DEPTH && { cause: describeError(error.cause, depth + 1) }),
  };
}

function redactFields(fields: object, depth: number): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields).slice(0, MAX_ENTRIES);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isSecretName(name) ? CENSORED : redact(value, depth + 1)]),
  );
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replaceAll(/[_-]/g, '').toLowerCase());
}
