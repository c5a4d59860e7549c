import { redactText } from '@palisade/domain';

const MAX_MESSAGE_LENGTH = 500;

export interface KubernetesErrorOptions extends ErrorOptions {
  /** The status of the answer; absent when there was none. */
  readonly status?: number;
  /** How long the API server asks to wait. */
  readonly retryAfterMs?: number;
  /** Changes may have been missed: all objects have to be read again. By default when the status is 410. */
  readonly hasLostTrack?: boolean;
}

/** The API server is unreachable, answered incorrectly, or rejected the request. The message is for the operator. */
export class KubernetesError extends Error {
  override readonly name = 'KubernetesError';
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly hasLostTrack: boolean;

  constructor(
    message: string,
    { status, retryAfterMs, hasLostTrack = status === 410, ...options }: KubernetesErrorOptions = {},
  ) {
    super(redactText(message).slice(0, MAX_MESSAGE_LENGTH), options);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.hasLostTrack = hasLostTrack;
  }

  /** Whether the given version is too old to continue from, which is normal. */
  get isExpired(): boolean {
    return this.status === 410;
  }

  get isNotFound(): boolean {
    return this.status === 404;
  }

  /** Whether the object was changed or created by somebody else in the meantime. */
  get isConflict(): boolean {
    return this.status === 409;
  }

  /** Whether another attempt may succeed although nothing is changed. */
  get isPassing(): boolean {
    return this.status === undefined || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}
