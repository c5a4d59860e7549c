import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type NamespaceResources } from '@palisade/domain';
import { array, assert, asyncProperty, nat } from 'fast-check';
import { liveLimits } from '../../test/support/live-limits.js';
import { VirtualClock } from '../../test/support/virtual-clock.js';
import { CpuLimiter } from './cpu-limiter.js';

const ACME = parseNamespaceId('acme');
const BOLT = parseNamespaceId('bolt');

/** Half a core each over ten seconds: 5 s of CPU time at once. */
function createLimiter(
  perNamespace: NamespaceResources = { cores: 0.5 },
  own: [typeof ACME, NamespaceResources][] = [],
) {
  const clock = new VirtualClock();
  const limits = liveLimits({ perNamespace, namespaces: new Map(own), cpuWindowMs: 10_000 });
  const limiter = new CpuLimiter({ limits, clock });
  const charge = (namespace: typeof ACME, cpuMs: number) => limiter.charge(new Map([[namespace, cpuMs]]));
  return { clock, limiter, charge };
}

describe(CpuLimiter.name, () => {
  it('lets a namespace take a window of its share at once', () => {
    const { limiter, charge } = createLimiter();
    charge(ACME, 5000);
    expect(() => limiter.admit(ACME)).not.toThrow();
  });

  it('rejects a namespace that has had more, and says when to come again', () => {
    const { limiter, charge } = createLimiter();
    charge(ACME, 6500);
    expect(() => limiter.admit(ACME)).toThrow(
      expect.objectContaining({ code: 'CPU_LIMIT', retryAfterSeconds: 3, namespace: 'acme', cores: 0.5 }),
    );
  });

  it('admits it again as soon as it is no longer above its share', async () => {
    const { clock, limiter, charge } = createLimiter();
    charge(ACME, 6500);
    await clock.advance(2999);
    expect(() => limiter.admit(ACME)).toThrow('CPU');
    await clock.advance(1);
    expect(() => limiter.admit(ACME)).not.toThrow();
  });

  it('lets nobody else wait', () => {
    const { limiter, charge } = createLimiter();
    charge(ACME, 60_000);
    expect(() => limiter.admit(BOLT)).not.toThrow();
  });

  it('gives a namespace a limit of its own', () => {
    const { limiter, charge } = createLimiter({ cores: 0.5 }, [[ACME, { cores: 1 }]]);
    charge(ACME, 10_000);
    expect(() => limiter.admit(ACME)).not.toThrow();
    charge(ACME, 1);
    expect(() => limiter.admit(ACME)).toThrow('share of 1 CPU cores');
  });

  it('knows nothing of namespaces without a limit', () => {
    const { limiter, charge } = createLimiter({}, [[ACME, { cores: 1 }]]);
    charge(BOLT, 60_000);
    expect(() => limiter.admit(BOLT)).not.toThrow();
    expect(limiter.namespaces).toBe(0);
  });

  it('forgets namespaces that have been quiet for long enough', async () => {
    const { clock, limiter, charge } = createLimiter();
    charge(ACME, 5000);
    await clock.advance(10_000);
    limiter.charge(new Map());
    expect(limiter.namespaces).toBe(0);
  });

  it('keeps the average at the share, however the time is taken', async () => {
    await assert(
      asyncProperty(array(nat({ max: 1000 }), { minLength: 60, maxLength: 120 }), async (seconds) => {
        const { clock, limiter, charge } = createLimiter();
        let totalMs = 0;
        for (const cpuMs of seconds) {
          await clock.advance(1000);
          const isAdmitted = isAdmittedBy(limiter);
          charge(ACME, isAdmitted ? cpuMs : 0);
          totalMs += isAdmitted ? cpuMs : 0;
        }
        // The share of the time, one window ahead, and what was under way when the share was used up.
        expect(totalMs).toBeLessThanOrEqual(seconds.length * 500 + 5000 + 1000);
      }),
      { numRuns: 30 },
    );
  });
});

function isAdmittedBy(limiter: CpuLimiter): boolean {
  try {
    limiter.admit(ACME);
    return true;
  } catch {
    return false;
  }
}
