import { redactText } from '@palisade/domain';

const MAX_MESSAGE_LENGTH = 500;

export interface KubernetesErrorOptions extends ErrorOptions {
  /** Of the answer; absent when there was none. */
  readonly status?: number;
  /** How long the API server asks to be left alone. */
  readonly retryAfterMs?: number;
  /** Something may have been missed: all has to be read anew. By default when the status is 410. */
  readonly hasLostTrack?: boolean;
}

/** The API server cannot be reached, did not answer as it should, or refused. The message is for the operator. */
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

  /** Whether the state that was named is too old to go on from, which is nobody's fault. */
  get isExpired(): boolean {
    return this.status === 410;
  }

  get isNotFound(): boolean {
    return this.status === 404;
  }

  /** Whether somebody else has changed, or made, the object meanwhile. */
  get isConflict(): boolean {
    return this.status === 409;
  }

  /** Whether another try may help although nobody changes anything. */
  get isPassing(): boolean {
    return this.status === undefined || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}
