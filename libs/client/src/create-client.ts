import createClient from 'openapi-fetch';
import { fillPath } from './fill-path.js';
import { version as controlPlaneVersion, type paths as ControlPlanePaths } from './generated/control-plane.js';
import { version as scimServiceVersion, type paths as ScimServicePaths } from './generated/scim-service.js';
import { transport } from './transport.js';
import type { TypedClient } from './typed-client.js';
import { UnexpectedAnswerError } from './unexpected-answer.error.js';

const DEFAULT_TIMEOUT_MS = 30_000;
/** Timers take no more: they go off at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export interface PalisadeClientOptions {
  /** Scheme, host and port, and a path where a gateway has one. */
  readonly baseUrl: string | URL;
  /** Bearer token. A function is asked before each request, so that it may answer another one when one has ended. */
  readonly token?: string | (() => string | Promise<string>);
  /** Until the whole answer is there, also of a stream; from 1 to 2,147,483,647, and 30,000 unless given. */
  readonly timeoutMs?: number;
  /** Aborts every request, also future ones; `signal` of one request aborts that one. */
  readonly signal?: AbortSignal;
  /** What stands before the name of this client in User-Agent, `my-portal/1.2`. */
  readonly userAgent?: string;
}

export type ScimServiceClient = TypedClient<ScimServicePaths>;
export type ControlPlaneClient = TypedClient<ControlPlanePaths>;

/**
 * A client of the SCIM service. SCIM below `/scim/v2` takes a token of a provider, all else one of an admin: two clients.
 * It follows no redirect. Its methods reject with {@link UnreachableError} when no answer comes, with
 * {@link UnexpectedAnswerError} when it is none of the service, and with {@link PathParameterError} before anything is sent.
 *
 * @throws {TypeError} when `baseUrl` is no address of a service, or `timeoutMs` is out of its range.
 */
export function createScimServiceClient(options: PalisadeClientOptions): ScimServiceClient {
  return create<ScimServicePaths>(options, scimServiceVersion);
}

/** A client of the control plane, for a token of an admin; else like {@link createScimServiceClient}. */
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
    // RFC 7644 §3.9: names of attributes are separated by commas. No other parameter is a list.
    querySerializer: { array: { style: 'form', explode: false } },
  });
  const name = `palisade-client/${version}`;
  client.use(transport({ ...options, timeoutMs, userAgent: userAgent === undefined ? name : `${userAgent} ${name}` }));
  // The same methods: only the types are narrower.
  return refusingWhatIsNotJson(client, new URL(baseUrl).origin) as unknown as TypedClient<Paths>;
}

/** The error of the platform would quote the answer. */
function refusingWhatIsNotJson<Methods extends object>(client: Methods, origin: string): Methods {
  const refuse = (error: unknown): never => {
    const { name } = (error ?? {}) as { readonly name?: unknown };
    throw name === 'SyntaxError' ? new UnexpectedAnswerError(origin, 'what is not JSON') : error;
  };
  const methods = Object.entries(client).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
    name,
    (...args: unknown[]): unknown => {
      const result = method(...args);
      return result instanceof Promise ? result.catch(refuse) : result;
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
