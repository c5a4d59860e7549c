import { readFile } from 'node:fs/promises';
import { Deadline } from '@palisade/async';
import {
  MAX_ACCESS_QUESTIONS,
  parseJsonObject,
  POLICY_EVENTS,
  POLICY_KEEPALIVE_MS,
  type AccessAnswerDocument,
  type AccessQuestionDocument,
  type ProxyHeartbeat,
} from '@palisade/domain';
import { readAccessAnswers, readHeartbeatAnswer, type HeartbeatAnswer } from './answers.js';
import { ControlPlaneRejectedError, ControlPlaneUnavailableError } from './control-plane.errors.js';
import { readEvents } from './event-stream.js';

/** How a proxy registers. */
export interface ProxyIdentity {
  /** The name of the proxy: the same one after a restart. */
  readonly id: string;
  /** The pool that it belongs to. */
  readonly pool: string;
  /** Where the load balancer reaches it. */
  readonly host: string;
  readonly port: number;
}

export interface ControlPlaneClientOptions {
  /** Base URLs, such as `https://control.example.com`, of one control plane: when one does not answer, the next one is asked. */
  readonly urls: readonly string[];
  /** The credential; a function is called for each request, so that a token that was replaced is noticed. */
  readonly token: string | (() => string | Promise<string>);
  /** How long each URL may take for an answer. Default 2,000. */
  readonly timeoutMs?: number;
  /** Characters of one event of the policy stream at most. Default 64 Mi: the policy of more than 100,000 tenants. */
  readonly maxPolicyLength?: number;
  /** How long the policy stream may be silent. Default 4,000: four keepalives. */
  readonly silenceMs?: number;
}

/** An event of the policy stream, unchecked. */
export interface PolicyEvent {
  readonly type: (typeof POLICY_EVENTS)[keyof typeof POLICY_EVENTS];
  /** `<configuration>:<revision>`. */
  readonly id?: string;
  /** JSON. */
  readonly data: string;
}

export interface FollowPolicyOptions {
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** The id of the event after which to go on. By default the stream begins with a complete policy. */
  readonly after?: string;
  /** Called whenever the control plane was heard of. */
  readonly onActivity?: () => void;
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const STREAM_TYPE = 'text/event-stream';
const EVENT_TYPES: readonly string[] = Object.values(POLICY_EVENTS);

/** The token that a file has at the moment of each request. */
export function tokenFromFile(path: string): () => Promise<string> {
  return async () => (await readFile(path, 'utf8')).trim();
}

/** The API of the control plane for proxies. {@link GovernedProxy} does with it what a proxy has to do. */
export class ControlPlaneClient {
  readonly #urls: readonly string[];
  readonly #timeoutMs: number;
  readonly #maxPolicyLength: number;
  readonly #silenceMs: number;
  /** The URL that answered last. */
  #current = 0;

  /** @throws {TypeError} when there is no URL, or one that is not http or https */
  constructor(private readonly options: ControlPlaneClientOptions) {
    const { urls, timeoutMs = 2000, maxPolicyLength = 64 * 1024 * 1024, silenceMs = 4 * POLICY_KEEPALIVE_MS } = options;
    if (urls.length === 0) {
      throw new TypeError('control plane: expected a URL');
    }
    this.#urls = urls.map(readBaseUrl);
    this.#timeoutMs = timeoutMs;
    this.#maxPolicyLength = maxPolicyLength;
    this.#silenceMs = silenceMs;
  }

  /**
   * Registers a proxy, or changes how it is registered.
   *
   * @param isDraining whether it is to get no more requests
   * @throws {ControlPlaneRejectedError} when another proxy has the id, the pool is unknown, or the token is for another proxy
   * @throws {ControlPlaneUnavailableError}
   */
  async register({ id, pool, host, port }: ProxyIdentity, isDraining = false): Promise<HeartbeatAnswer> {
    const body = { id, pool, host, port, ...(isDraining && { draining: true }) };
    return readHeartbeatAnswer(await this.#send('POST', '/proxies', body));
  }

  /**
   * Resolves to undefined when the control plane does not know the proxy, which then has to register (again).
   *
   * @throws {ControlPlaneRejectedError} {@link ControlPlaneUnavailableError}
   */
  async heartbeat(id: string, heartbeat: ProxyHeartbeat = {}): Promise<HeartbeatAnswer | undefined> {
    const answer = await unlessNotFound(this.#send('POST', `/proxies/${encodeURIComponent(id)}/heartbeat`, heartbeat));
    return answer === undefined ? undefined : readHeartbeatAnswer(answer);
  }

  /**
   * Asks whether users may do something; answers come in the order of the questions, of which there may be any number.
   *
   * @throws {ControlPlaneRejectedError} {@link ControlPlaneUnavailableError}
   */
  async askAccess(id: string, questions: readonly AccessQuestionDocument[]): Promise<AccessAnswerDocument[]> {
    const answers: AccessAnswerDocument[] = [];
    for (let start = 0; start < questions.length; start += MAX_ACCESS_QUESTIONS) {
      const batch = questions.slice(start, start + MAX_ACCESS_QUESTIONS);
      const answer = await this.#send('POST', `/proxies/${encodeURIComponent(id)}/access`, { questions: batch });
      answers.push(...readAccessAnswers(answer, batch.length));
    }
    return answers;
  }

  /**
   * Removes a proxy, so that it gets no more requests; one that is not known is removed already.
   *
   * @param hasClosed whether it has no connections to backends any more: its parts of caps are free at once, instead of when
   * their leases end
   * @throws {ControlPlaneRejectedError} {@link ControlPlaneUnavailableError}
   */
  async remove(id: string, hasClosed = false): Promise<void> {
    const query = hasClosed ? '?connections=closed' : '';
    await unlessNotFound(this.#send('DELETE', `/proxies/${encodeURIComponent(id)}${query}`));
  }

  /**
   * The policy of a proxy's pool: complete at first, then each change. Ends when the stream does; the caller then opens the
   * next one, with another control plane if there is one.
   *
   * @throws {ControlPlaneRejectedError} with status 404 when the proxy has to register
   * @throws {ControlPlaneUnavailableError} also when the stream is silent for too long, and when an event is too long
   */
  async *followPolicy(id: string, options: FollowPolicyOptions): AsyncGenerator<PolicyEvent, void> {
    const { signal, after, onActivity = () => {} } = options;
    const used = this.#current;
    using deadline = new Deadline(this.#timeoutMs, signal);
    try {
      const path = `/proxies/${encodeURIComponent(id)}/policy`;
      const headers = { accept: STREAM_TYPE, ...(after !== undefined && { 'last-event-id': after }) };
      const response = await this.#fetch(used, { method: 'GET', path, headers, signal: deadline.signal });
      if (response.body === null || response.headers.get('content-type')?.startsWith(STREAM_TYPE) !== true) {
        throw new ControlPlaneUnavailableError(`GET ${path}: expected ${STREAM_TYPE}`);
      }
      const events = readEvents(response.body, {
        maxEventLength: this.#maxPolicyLength,
        onActivity: () => {
          deadline.extend(this.#silenceMs);
          onActivity();
        },
      });
      deadline.extend(this.#silenceMs);
      for await (const { event: type, id: eventId, data } of events) {
        // Other events are of a later version of the control plane, which says there what they demand of whom.
        if (isEventType(type)) {
          yield { type, id: eventId, data };
        }
      }
    } catch (error) {
      if (signal.aborted || error instanceof ControlPlaneRejectedError) {
        throw error;
      }
      throw deadline.hasPassed
        ? new ControlPlaneUnavailableError(`${this.#urls[used]}: the policy stream was silent`, { cause: error })
        : unavailable(this.#urls[used], error);
    } finally {
      // However the stream ended, the next one is better opened elsewhere.
      this.#avoid(used);
    }
  }

  /** The parsed body; undefined when there is none. */
  async #send(method: 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const failures: unknown[] = [];
    for (let tries = 0; tries < this.#urls.length; tries++) {
      const used = this.#current;
      try {
        const signal = AbortSignal.timeout(this.#timeoutMs);
        const content = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
        const request = { method, path, signal, ...content };
        return parseAnswer(await readBounded(await this.#fetch(used, request)));
      } catch (error) {
        if (error instanceof ControlPlaneRejectedError) {
          throw error;
        }
        failures.push(unavailable(this.#urls[used], error));
        this.#avoid(used);
      }
    }
    throw failures.length === 1 ? failures[0] : new ControlPlaneUnavailableError(failures.map(String).join('; '));
  }

  /** @throws {ControlPlaneRejectedError} {@link ControlPlaneUnavailableError}, and what fetch throws */
  async #fetch(
    url: number,
    { path, headers, ...init }: { path: string; headers?: Record<string, string> } & Omit<RequestInit, 'headers'>,
  ): Promise<Response> {
    const { token } = this.options;
    const authorization = `Bearer ${typeof token === 'string' ? token : await token()}`;
    const response = await fetch(`${this.#urls[url]}/api/v1${path}`, {
      ...init,
      headers: { ...headers, authorization },
      // A redirect would take the token elsewhere.
      redirect: 'error',
    });
    if (response.ok) {
      return response;
    }
    const problem = parseJsonObject(await readBounded(response))?.['code'];
    const request = `${init.method} ${path}`;
    if (response.status >= 500 || response.status === 429) {
      throw new ControlPlaneUnavailableError(`${request}: answered with ${response.status}`);
    }
    throw new ControlPlaneRejectedError(
      request,
      response.status,
      typeof problem === 'string' ? problem.slice(0, 100) : undefined,
    );
  }

  /** Has the next request go to another URL, unless one goes there already. */
  #avoid(used: number): void {
    if (this.#current === used) {
      this.#current = (used + 1) % this.#urls.length;
    }
  }
}

function readBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError(`control plane: expected a URL such as https://control.example.com, found ${text}`);
  }
  return url.href.replace(/\/+$/, '');
}

function isEventType(type: string | undefined): type is PolicyEvent['type'] {
  return type !== undefined && EVENT_TYPES.includes(type);
}

async function unlessNotFound(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ControlPlaneRejectedError && error.status === 404) {
      return undefined;
    }
    throw error;
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new ControlPlaneUnavailableError(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseAnswer(text: string): unknown {
  if (text === '') {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ControlPlaneUnavailableError('the answer is not JSON', { cause });
  }
}

/** Says which control plane it was, and why: fetch hides that in the cause. */
function unavailable(url: string | undefined, error: unknown): ControlPlaneUnavailableError {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
  const reason = cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message;
  return new ControlPlaneUnavailableError(`${url}: ${reason}`, { cause: error });
}
