import type {
  Client,
  ClientPathsWithMethod,
  FetchResponse,
  MaybeOptionalInit,
  Middleware,
  ParseAs,
} from 'openapi-fetch';

type HttpMethod = 'get' | 'put' | 'post' | 'delete' | 'patch';
type PathsWith<Paths extends object, Method extends HttpMethod> = ClientPathsWithMethod<Client<Paths>, Method>;

/** With `parseAs`, the answer is text or a stream instead of JSON. */
type Options<Item, Method extends keyof Item, As extends ParseAs> = NonNullable<MaybeOptionalInit<Item, Method>> & {
  readonly parseAs?: As;
};

type Send<Paths extends object, Method extends HttpMethod> = <
  Path extends PathsWith<Paths, Method>,
  As extends ParseAs = 'json',
>(
  path: Path,
  ...options: undefined extends MaybeOptionalInit<Paths[Path], Method & keyof Paths[Path]>
    ? [options?: Options<Paths[Path], Method & keyof Paths[Path], As>]
    : [options: Options<Paths[Path], Method & keyof Paths[Path], As>]
) => Promise<
  FetchResponse<
    Paths[Path][Method & keyof Paths[Path]] & Record<string | number, unknown>,
    { readonly parseAs: As },
    `${string}/${string}`
  >
>;

/** The client of openapi-fetch, but with types that reject unknown fields: its own types accept misspelt ones. */
export interface TypedClient<Paths extends object> {
  readonly GET: Send<Paths, 'get'>;
  readonly PUT: Send<Paths, 'put'>;
  readonly POST: Send<Paths, 'post'>;
  readonly DELETE: Send<Paths, 'delete'>;
  readonly PATCH: Send<Paths, 'patch'>;
  /** Adds middleware, which sees each request before it is sent and each answer before it is read. */
  use(...middleware: readonly Middleware[]): void;
}
