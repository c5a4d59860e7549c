import { DomainError, type ProxyId } from '@palisade/domain';

/** No proxy of this id is known, or it was forgotten because its heartbeats had stopped. */
export class ProxyNotFoundError extends DomainError {
  override readonly name = 'ProxyNotFoundError';
  readonly code = 'PROXY_NOT_FOUND';

  constructor(readonly proxy: ProxyId) {
    super(`there is no proxy "${proxy}"`);
  }
}
