import { HttpStatus } from '@nestjs/common';
import {
  DomainError,
  ProxyTakenError,
  TooManyProxiesError,
  parsePoolName,
  parseProxyId,
  type ProxyId,
} from '@palisade/domain';
import type { ProblemTable } from '@palisade/platform';
import { ROUTING_PROBLEMS } from '../routing/routing.errors.js';

/** No proxy of this id is known, or it was forgotten because its heartbeats had stopped. */
export class ProxyNotFoundError extends DomainError {
  readonly code = 'PROXY_NOT_FOUND';

  constructor(readonly proxy: ProxyId) {
    super(`there is no proxy "${proxy}"`);
  }
}

const PROXY = parseProxyId('standard-1');

export const PROXY_PROBLEMS = {
  ...ROUTING_PROBLEMS,
  PROXY_NOT_FOUND: [
    HttpStatus.NOT_FOUND,
    'no such proxy, or it was forgotten: register again',
    new ProxyNotFoundError(PROXY),
  ],
  PROXY_TAKEN: [
    HttpStatus.CONFLICT,
    'a proxy of this id was registered with another credential',
    new ProxyTakenError(PROXY),
  ],
  TOO_MANY_PROXIES: [
    HttpStatus.CONFLICT,
    'the limit of proxies is reached, in the pool or overall',
    new TooManyProxiesError(500, parsePoolName('standard')),
  ],
} as const satisfies ProblemTable;
