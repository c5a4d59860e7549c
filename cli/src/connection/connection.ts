import { readFileSync, statSync } from 'node:fs';
import { ApiClient, type ServiceName } from '../api/api-client.js';
import type { Session } from '../session.js';
import { UsageError } from '../usage.error.js';
import type { ConnectionOptions } from './connection-options.js';
import { systemErrorCode } from '../system-error-code.js';

/** Whose token a command needs: that of an admin, or that of an identity provider. */
export type Credential = 'admin' | 'provider';

const ADDRESSES = {
  'scim-service': { variable: 'PALISADE_SCIM_URL', fallback: 'http://localhost:9091' },
  'control-plane': { variable: 'PALISADE_CONTROL_URL', fallback: 'http://localhost:8980' },
} as const satisfies Record<ServiceName, object>;

/** In order; the first one that is set counts. */
const TOKEN_VARIABLES: Readonly<Record<Credential, readonly string[]>> = {
  admin: ['PALISADE_TOKEN'],
  provider: ['PALISADE_PROVIDER_TOKEN', 'PALISADE_TOKEN'],
};

const MAX_TOKEN_BYTES = 64 * 1024;

/**
 * The client for a service, from options first and the environment second.
 *
 * @throws {UsageError} when the address is none, or there is no token.
 */
export function connect<Service extends ServiceName>(
  service: Service,
  credential: Credential,
  options: ConnectionOptions,
  session: Session,
): ApiClient<Service> {
  const token = findToken(credential, options, session.env);
  if (token === undefined) {
    const [variable] = TOKEN_VARIABLES[credential];
    throw new UsageError(
      `no token: give that of ${credential === 'admin' ? 'an admin' : 'a provider'} with --token-file, ${variable} or ${variable}_FILE`,
    );
  }
  const baseUrl = findUrl(service, options.url, session.env);
  return new ApiClient(service, { baseUrl, token, timeoutMs: options.timeoutMs, signal: session.signal });
}

/** @throws {UsageError} when it is none of ours. */
export function findUrl(service: ServiceName, option: string | undefined, env: Session['env']): URL {
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

/** The token; undefined when nothing names one. @throws {UsageError} when what names one holds none. */
export function findToken(
  credential: Credential,
  { token, tokenFile }: Pick<ConnectionOptions, 'token' | 'tokenFile'>,
  env: Session['env'],
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
    const code = systemErrorCode(error);
    if (code !== undefined) {
      throw new UsageError(`${source}: cannot read ${path} (${code})`, { cause: error });
    }
    throw error;
  }
  throw new UsageError(`${source}: ${path} is too large to be a token`);
}

/** What a header cannot carry is refused here: the error of the platform would show it. */
function checkToken(token: string, source: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(`${source}: expected a token, which has no spaces, line ends or letters outside of ASCII`);
  }
  return token;
}
