import { accessSync, constants, statSync } from 'node:fs';
import { parseDurationMs, parseHostPort, type HostPort } from '@palisade/domain';
import { variable, type Settled, type Variable, type VariableOptions } from './variable.js';

const MAX_URL_LENGTH = 4096;

/** Any text of 1 to 4096 characters without control characters. */
export function text<const O extends VariableOptions>(name: string, options: O): Variable<Settled<string, O>> {
  return variable(name, options, 'text of 1 to 4096 characters', (value) =>
    value.length <= 4096 && !/\p{Cc}/u.test(value) ? value : undefined,
  );
}

/** RFC 6750 §2.1, `b64token`: what a client can send in an Authorization header. Always a secret. */
export function bearerToken(name: string, options: Omit<VariableOptions, 'default'>): Variable<string | undefined> {
  const expected = 'a bearer token: up to 4096 of A-Z a-z 0-9 - . _ ~ + /, then any "="';
  return variable(name, { ...options, secret: true }, expected, (value) =>
    value.length <= 4096 && /^[\w\-.~+/]+=*$/.test(value) ? value : undefined,
  );
}

export function flag<const O extends VariableOptions>(name: string, options: O): Variable<Settled<boolean, O>> {
  return variable<boolean, O>(name, options, '`true` or `false`', (value) => {
    const folded = value.toLowerCase();
    return folded === 'true' || folded === 'false' ? folded === 'true' : undefined;
  });
}

export function choice<const C extends string, const O extends VariableOptions>(
  name: string,
  options: O & { readonly choices: readonly C[] },
): Variable<Settled<C, O>> {
  const expected = `one of ${options.choices.map((each) => `\`${each}\``).join(', ')}`;
  return variable<C, O>(name, options, expected, (value) => options.choices.find((each) => each === value));
}

/** A whole number within [min, max], counted in `unit`. */
export function integer<const O extends VariableOptions>(
  name: string,
  options: O & { readonly min: number; readonly max: number; readonly unit?: string },
): Variable<Settled<number, O>> {
  const { min, max, unit } = options;
  const expected = `an integer from ${min} to ${max}${unit === undefined ? '' : ` (${unit})`}`;
  return variable<number, O>(name, options, expected, (value) =>
    /^-?\d{1,15}$/.test(value) ? within(Number(value), min, max) : undefined,
  );
}

/** A number with a unit (`500ms`, `15s`, `5m`, `12h`, `30d`) within [min, max], given in the same form; its value is in milliseconds. */
export function durationMs<const O extends VariableOptions>(
  name: string,
  options: O & { readonly min: string; readonly max: string },
): Variable<Settled<number, O>> {
  const [min, max] = [parseDurationMs(options.min) ?? 0, parseDurationMs(options.max) ?? Number.MAX_SAFE_INTEGER];
  const expected = `a duration such as \`500ms\`, \`15s\` or \`5m\`, from ${options.min} to ${options.max}`;
  return variable<number, O>(name, options, expected, (value) => {
    const durationInMs = parseDurationMs(value);
    return durationInMs === undefined ? undefined : within(durationInMs, min, max);
  });
}

/** `host:port`; an IPv6 address stands in brackets. */
export function hostPort<const O extends VariableOptions>(name: string, options: O): Variable<Settled<HostPort, O>> {
  return variable<HostPort, O>(name, options, '`host:port`, port 0 to 65535', parseHostPort);
}

/** An absolute URL with one of the schemes, e.g. `['https:']`; its value is the text as given. */
export function url<const O extends VariableOptions>(
  name: string,
  options: O & { readonly schemes: readonly string[] },
): Variable<Settled<string, O>> {
  const expected = `a URL that starts with ${options.schemes.map((scheme) => `\`${scheme}\``).join(' or ')}`;
  return variable<string, O>(name, options, expected, (value) => {
    const protocol = URL.canParse(value) ? new URL(value).protocol : undefined;
    return protocol !== undefined && options.schemes.includes(protocol) ? value : undefined;
  });
}

/** An HTTP URL that paths are appended to: no credentials, query or fragment; its value has no slash at its end. */
export function baseUrl<const O extends VariableOptions>(name: string, options: O): Variable<Settled<string, O>> {
  const expected = 'a URL `https://host[:port][/path]` (or `http:`), without credentials, query and fragment';
  return variable<string, O>(name, options, expected, (value) => {
    if (
      value.length > MAX_URL_LENGTH ||
      !/^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#]*)?$/i.test(value) ||
      !URL.canParse(value)
    ) {
      return undefined;
    }
    const { origin, pathname } = new URL(value);
    return (origin + pathname).replace(/\/+$/, '');
  });
}

/** The path of a file that the service can read now. */
export function readableFile<const O extends VariableOptions>(name: string, options: O): Variable<Settled<string, O>> {
  return variable(name, options, 'the path of a readable file', (path) => (isReadableFile(path) ? path : undefined));
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function within(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined;
}
