import { readFileSync, statSync } from 'node:fs';
import { ApiClient, type ServiceName } from './api-client.js';
import type { CommandContext } from './context.js';
import { UsageError, unreadable } from './command.errors.js';
import type { ConnectionOptions } from './connection-options.js';

/** The kind of token that a command needs: an admin's, or an identity provider's. */
export type Credential = 'admin' | 'provider';

const ADDRESSES = {
  'scim-service': { variable: 'PALISADE_SCIM_URL', fallback: 'http://localhost:9091' },
  'control-plane': { variable: 'PALISADE_CONTROL_URL', fallback: 'http://localhost:8980' },
} as const satisfies Record<ServiceName, object>;

/** The first one that is set counts. */
const TOKEN_VARIABLES: Readonly<Record<Credential, readonly string[]>> = {
  admin: ['PALISADE_TOKEN'],
  provider: ['PALISADE_PROVIDER_TOKEN', 'PALISADE_TOKEN'],
};

const MAX_TOKEN_BYTES = 64 * 1024;

/**
 * The client for a service; options take precedence over the environment.
 *
 * @throws {UsageError} when the address is invalid, or there is no token.
 */
export function connect<Service extends ServiceName>(
  service: Service,
  credential: Credential,
  options: ConnectionOptions,
  context: CommandContext,
): ApiClient<Service> {
  const token = findToken(credential, options, context.env);
  if (token === undefined) {
    const [variable] = TOKEN_VARIABLES[credential];
    throw new UsageError(
      `no token: give ${credential === 'admin' ? "an admin's" : "a provider's"} token with --token-file, ${variable} or ${variable}_FILE`,
    );
  }
  const baseUrl = findUrl(service, options.url, context.env);
  return new ApiClient(service, { baseUrl, token, timeoutMs: options.timeoutMs, signal: context.signal });
}

/** The address of a service. @throws {UsageError} when it is invalid. */
export function findUrl(service: ServiceName, option: string | undefined, env: CommandContext['env']): URL {
  const { variable, fallback } = ADDRESSES[service];
  const text = option ?? (env[variable] || fallback);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`${option === undefined ? variable : '--url'}: expected http://… or https://…`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(`${option === undefined ? variable : '--url'}: expected only scheme, host, port and path`);
  }
  return url;
}

/** The token; undefined when none is given. @throws {UsageError} when the given one is invalid or cannot be read. */
export function findToken(
  credential: Credential,
  { token, tokenFile }: Pick<ConnectionOptions, 'token' | 'tokenFile'>,
  env: CommandContext['env'],
): string | undefined {
  if (token !== undefined) {
    return checkToken(token, '--token');
  }
  if (tokenFile !== undefined) {
    return readToken(tokenFile, '--token-file');
  }
  for (const variable of TOKEN_VARIABLES[credential]) {
    const [value, file] = [env[variable], env[`${variable}_FILE`]];
    if (value) {
      return checkToken(value, variable);
    }
    if (file) {
      return readToken(file, `${variable}_FILE`);
    }
  }
  return undefined;
}

function readToken(path: string, source: string): string {
  try {
    if (statSync(path).size <= MAX_TOKEN_BYTES) {
      return checkToken(readFileSync(path, 'utf8').trim(), source);
    }
  } catch (error) {
    throw unreadable(path, error, `${source}: `);
  }
  throw new UsageError(`${source}: ${path} is too large to be a token`);
}

/** Rejects what a header cannot carry: the platform's error would print the token. */
function checkToken(token: string, source: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(`${source}: expected a token: ASCII characters without spaces or line breaks`);
  }
  return token;
}
