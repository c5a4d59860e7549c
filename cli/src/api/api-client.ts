import {
  createControlPlaneClient,
  createScimServiceClient,
  dataOf,
  type ControlPlaneClient,
  type ScimServiceClient,
} from '@palisade/client';
import { FailureError } from '../failure.error.js';

export interface ApiClientOptions {
  /** Scheme, host and port, and a path where a gateway has one. */
  readonly baseUrl: URL;
  readonly token?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Of which service: the one that a command talks to. */
export interface ServiceClients {
  readonly 'scim-service': ScimServiceClient;
  readonly 'control-plane': ControlPlaneClient;
}
export type ServiceName = keyof ServiceClients;

/** A request that is known only when the command runs. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  /** What `{…}` in the path stand for. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface ApiAnswer {
  readonly status: number;
  /** Text, or for refusals what it says as JSON. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** Asks one service, as the bearer of one token. Follows no redirect: the token is for this service only. */
export class ApiClient<Service extends ServiceName = ServiceName> {
  /** For requests that are known when the command is written: its API document types them. */
  readonly api: ServiceClients[Service];

  constructor(
    service: Service,
    private readonly options: ApiClientOptions,
  ) {
    this.api = CREATE[service](options);
  }

  get origin(): string {
    return this.options.baseUrl.origin;
  }

  /**
   * The JSON of an answer; undefined when it has none.
   *
   * @throws {ApiError} when the service refuses; {@link UnreachableError} when there is no answer; {@link PathParameterError}.
   */
  async send(request: ApiRequest): Promise<unknown> {
    const text = dataOf(await this.request(request));
    try {
      return text ? (JSON.parse(text) as unknown) : undefined;
    } catch (error) {
      throw new FailureError(`${this.origin} did not answer JSON: is it the right address?`, { cause: error });
    }
  }

  /** Whatever the status. @throws {UnreachableError} */
  async probe(path: string): Promise<ApiAnswer> {
    const { data, error, response } = await this.request({ method: 'GET', path });
    return { status: response.status, body: error ?? data, headers: response.headers };
  }

  private request({ method, path, parameters, query, body }: ApiRequest): Promise<TextAnswer> {
    // As data, a request has no type of the API's; operations have been compared with it where they are written.
    const { request } = this.api as unknown as { readonly request: SendText };
    const params = { ...(parameters && { path: parameters }), ...(query && { query }) };
    return request(method, path, { params, parseAs: 'text', ...(body !== undefined && { body }) });
  }
}

type TextAnswer =
  | { readonly data: string | undefined; readonly error?: never; readonly response: Response }
  | { readonly data?: never; readonly error: unknown; readonly response: Response };

type SendText = (
  method: string,
  path: string,
  options: { readonly params: object; readonly parseAs: 'text'; readonly body?: unknown },
) => Promise<TextAnswer>;

const CREATE: { readonly [Service in ServiceName]: (options: ApiClientOptions) => ServiceClients[Service] } = {
  'scim-service': (options) => createScimServiceClient({ ...options, userAgent: USER_AGENT }),
  'control-plane': (options) => createControlPlaneClient({ ...options, userAgent: USER_AGENT }),
};

const USER_AGENT = 'palisade-cli';
