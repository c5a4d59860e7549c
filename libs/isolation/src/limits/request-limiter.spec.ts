import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { VirtualClock } from '../../test/support/virtual-clock.js';
import { RequestLimiter, type RequestLimiterOptions } from './request-limiter.js';

const ACME = parseNamespaceId('acme');
const BOLT = parseNamespaceId('bolt');

function createLimiter(options: RequestLimiterOptions = {}) {
  const clock = new VirtualClock();
  const limiter = new RequestLimiter({ maxRps: () => 1, ...options, clock });
  return { clock, limiter };
}

describe(RequestLimiter.name, () => {
  it('rejects a request that is one too many, and says when to come again', () => {
    const { limiter } = createLimiter();
    limiter.admit(ACME);
    expect(() => limiter.admit(ACME)).toThrow(
      expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 1, namespace: 'acme' }),
    );
  });

  it('counts each namespace on its own', () => {
    const { limiter } = createLimiter();
    limiter.admit(ACME);
    expect(() => limiter.admit(BOLT)).not.toThrow();
  });

  it('gives a namespace a limit of its own', () => {
    const { limiter } = createLimiter({ maxRps: (namespace) => (namespace === ACME ? 2 : 1) });
    limiter.admit(ACME);
    expect(() => limiter.admit(ACME)).not.toThrow();
    expect(() => limiter.admit(ACME)).toThrow('limited to 2 requests per second');
  });

  it('holds a namespace to another limit from one request to the next', () => {
    let maxRps = 3;
    const { limiter } = createLimiter({ maxRps: () => maxRps });
    limiter.admit(ACME);
    limiter.admit(ACME);
    maxRps = 1;
    expect(() => limiter.admit(ACME)).toThrow('limited to 1 requests per second');
    maxRps = 4;
    limiter.admit(ACME);
    limiter.admit(ACME);
    expect(() => limiter.admit(ACME)).toThrow('limited to 4 requests per second');
  });

  it('admits everything without a limit', () => {
    const { limiter } = createLimiter({ maxRps: undefined });
    limiter.admit(ACME);
    limiter.admit(ACME);
    expect(limiter.namespaces).toBe(0);
  });

  it('forgets a namespace once its bucket is full again', async () => {
    const { clock, limiter } = createLimiter();
    limiter.admit(ACME);
    await clock.advance(1000);
    expect([limiter.namespaces, clock.timers]).toEqual([0, 0]);
  });

  it('rejects further namespaces while it counts as many as it may', () => {
    const { limiter } = createLimiter({ maxNamespaces: 1 });
    limiter.admit(ACME);
    expect(() => limiter.admit(BOLT)).toThrow('1 others make requests already');
  });
});
