import createClient from 'openapi-fetch';
import { fillPath } from './fill-path.js';
import { version as controlPlaneVersion, type paths as ControlPlanePaths } from './generated/control-plane.js';
import { version as scimServiceVersion, type paths as ScimServicePaths } from './generated/scim-service.js';
import { transport } from './transport.js';
import type { TypedClient } from './typed-client.js';
import { UnexpectedAnswerError } from './client.errors.js';

const DEFAULT_TIMEOUT_MS = 30_000;
/** A timer with a longer delay would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export interface PalisadeClientOptions {
  /** Scheme, host and port, and a path where a gateway has one. */
  readonly baseUrl: string | URL;
  /** Bearer token. A function is called before each request, so that it can replace an expired token. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Until the whole answer has arrived, even if it is a stream; from 1 to 2,147,483,647, by default 30,000. */
  readonly timeoutMs?: number;
  /** Aborts every request, also future ones; `signal` of one request aborts that one. */
  readonly signal?: AbortSignal;
  /** Put before the name of this client in User-Agent, such as `my-portal/1.2`. */
  readonly userAgent?: string;
}

export type ScimServiceClient = TypedClient<ScimServicePaths>;
export type ControlPlaneClient = TypedClient<ControlPlanePaths>;

/**
 * A client of the SCIM service. SCIM below `/scim/v2` needs a provider's token, everything else an admin's, so a program that
 * uses both makes two clients. It follows no redirects. Its methods reject with {@link UnreachableError} when no answer comes,
 * with {@link UnexpectedAnswerError} when the answer is not the service's, and with {@link PathParameterError} before sending.
 *
 * @throws {TypeError} when `baseUrl` is not the address of a service, or `timeoutMs` is out of range
 */
export function createScimServiceClient(options: PalisadeClientOptions): ScimServiceClient {
  return create<ScimServicePaths>(options, scimServiceVersion);
}

/** A client of the control plane, for an admin's token; otherwise like {@link createScimServiceClient}. */
export function createControlPlaneClient(options: PalisadeClientOptions): ControlPlaneClient {
  return create<ControlPlanePaths>(options, controlPlaneVersion);
}

function create<Paths extends object>(
  { baseUrl, timeoutMs = DEFAULT_TIMEOUT_MS, userAgent, ...options }: PalisadeClientOptions,
  version: string,
): TypedClient<Paths> {
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > MAX_TIMEOUT_MS) {
    throw new TypeError(`timeoutMs: expected an integer from 1 to ${MAX_TIMEOUT_MS}, found ${timeoutMs}`);
  }
  const client = createClient<Paths>({
    baseUrl: checkBaseUrl(baseUrl),
    // The token is for this service only.
    redirect: 'manual',
    pathSerializer: fillPath,
    // RFC 7644 §3.9: attribute names are separated by commas. No other parameter is a list.
    querySerializer: { array: { style: 'form', explode: false } },
  });
  const name = `palisade-client/${version}`;
  client.use(transport({ ...options, timeoutMs, userAgent: userAgent === undefined ? name : `${userAgent} ${name}` }));
  // Only the types are narrower than those of openapi-fetch.
  return rejectingWhatIsNotJson(client, new URL(baseUrl).origin) as unknown as TypedClient<Paths>;
}

/** The platform's own error would quote the answer. */
function rejectingWhatIsNotJson<Methods extends object>(client: Methods, origin: string): Methods {
  const reject = (error: unknown): never => {
    const { name } = (error ?? {}) as { readonly name?: unknown };
    throw name === 'SyntaxError' ? new UnexpectedAnswerError(origin, 'what is not JSON') : error;
  };
  const methods = Object.entries(client).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
    name,
    (...args: unknown[]): unknown => {
      const result = method(...args);
      return result instanceof Promise ? result.catch(reject) : result;
    },
  ]);
  return Object.fromEntries(methods) as Methods;
}

function checkBaseUrl(baseUrl: string | URL): string {
  const text = String(baseUrl);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError('baseUrl: expected http://… or https://…');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl: expected only scheme, host, port and path');
  }
  return url.href;
}
