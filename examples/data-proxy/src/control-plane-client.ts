/** How a proxy registers. */
export interface ProxyIdentity {
  readonly id: string;
  readonly pool: string;
  readonly host: string;
  readonly port: number;
}

/** What the control plane tells a proxy about its pool. */
export interface PoolStatus {
  readonly heartbeatIntervalMs: number;
  /** Proxies of the pool that may have connections to its backends, this one included; at least 1. */
  readonly livePoolSize: number;
}

const TIMEOUT_MS = 2000;

/** The control plane's API for proxies. Methods reject when it is unreachable or answers with an error. */
export class ControlPlaneClient {
  constructor(
    private readonly baseUrl: string,
    private readonly token: string,
  ) {}

  async register(proxy: ProxyIdentity): Promise<PoolStatus> {
    return toPoolStatus(await this.#send('POST', '/proxies', proxy));
  }

  /** Undefined when the control plane does not know the proxy, which then has to register (again). */
  async heartbeat(id: string): Promise<PoolStatus | undefined> {
    const answer = await this.#send('POST', `/proxies/${encodeURIComponent(id)}/heartbeat`);
    return answer === undefined ? undefined : toPoolStatus(answer);
  }

  async remove(id: string): Promise<void> {
    await this.#send('DELETE', `/proxies/${encodeURIComponent(id)}`);
  }

  /** The parsed body; undefined for 404, and for an answer without a body. */
  async #send(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.baseUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    const text = await response.text();
    if (response.status === 404) {
      return undefined;
    }
    if (!response.ok) {
      throw new Error(`the control plane answered ${method} ${path} with ${response.status}`);
    }
    return text === '' ? undefined : JSON.parse(text);
  }
}

/** @throws {TypeError} when the answer does not come from a control plane */
function toPoolStatus(answer: unknown): PoolStatus {
  const { heartbeat_interval_seconds: seconds, live_pool_size: size } = (answer ?? {}) as Record<string, unknown>;
  if (typeof seconds !== 'number' || !(seconds > 0) || !Number.isSafeInteger(size)) {
    throw new TypeError('the control plane: expected heartbeat_interval_seconds and live_pool_size');
  }
  return { heartbeatIntervalMs: seconds * 1000, livePoolSize: Math.max(1, Number(size)) };
}
