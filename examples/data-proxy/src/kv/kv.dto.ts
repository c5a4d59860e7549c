import { Integer } from '@palisade/platform';

const MAX_TTL_MS = 365 * 24 * 3600 * 1000;

export class PutValueQuery {
  @Integer('Time until the key expires, in milliseconds. By default it never does.', {
    minimum: 1,
    maximum: MAX_TTL_MS,
    inQuery: true,
    optional: true,
  })
  readonly ttl_ms?: number;
}
