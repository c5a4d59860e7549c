import { Integer } from '@palisade/platform';

const MAX_TIMEOUT_MS = 60_000;

export class RequestQuery {
  @Integer('How long to wait for the reply, in milliseconds. Default 2,000.', {
    minimum: 1,
    maximum: MAX_TIMEOUT_MS,
    inQuery: true,
    optional: true,
  })
  readonly timeout_ms?: number;
}
