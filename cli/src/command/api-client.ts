import {
  createControlPlaneClient,
  createScimServiceClient,
  dataOf,
  type ControlPlaneClient,
  type ScimServiceClient,
} from '@palisade/client';
import { FailureError } from './command.errors.js';

export interface ApiClientOptions {
  /** Scheme, host and port, and a path where a gateway has one. */
  readonly baseUrl: URL;
  readonly token?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The typed client of each service. */
export interface ServiceClients {
  readonly 'scim-service': ScimServiceClient;
  readonly 'control-plane': ControlPlaneClient;
}
export type ServiceName = keyof ServiceClients;

/** A request that is known only when the command runs. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  /** Values for the `{…}` in the path. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ApiAnswer {
  readonly status: number;
  /** The text; for an error, its parsed JSON. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** Sends requests to one service with one token. Follows no redirect: the token is for this service only. */
export class ApiClient<Service extends ServiceName = ServiceName> {
  /** For requests that are known when the command is written: the API document gives them their types. */
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
   * The JSON of the answer; undefined when the answer has no body.
   *
   * @throws {ApiError} when the service answers with an error; {@link UnreachableError} when it does not answer; {@link PathParameterError}.
   */
  async send(request: ApiRequest): Promise<unknown> {
    const text = dataOf(await this.request(request));
    try {
      return text ? (JSON.parse(text) as unknown) : undefined;
    } catch (error) {
      throw new FailureError(`${this.origin} did not answer with JSON: is the address right?`, { cause: error });
    }
  }

  /** The answer, whatever its status. @throws {UnreachableError} */
  async probe(path: string): Promise<ApiAnswer> {
    const { data, error, response } = await this.request({ method: 'GET', path });
    return { status: response.status, body: error ?? data, headers: response.headers };
  }

  private request({ method, path, parameters, query, headers, body }: ApiRequest): Promise<TextAnswer> {
    // A request made from data cannot be typed here; the types of operations were checked where they are written.
    const { request } = this.api as unknown as { readonly request: SendText };
    const params = {
      ...(parameters && { path: parameters }),
      ...(query && { query }),
      ...(headers && { header: headers }),
    };
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
