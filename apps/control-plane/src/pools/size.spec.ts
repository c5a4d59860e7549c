import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { sizeFor, sizeFromMeasured } from './size.js';

const GIB = 2 ** 30;

describe(sizeFor.name, () => {
  it.each([
    [1, 2, 200, 4, 2, false],
    [9, 2, 200, 4, 2, false],
    [10, 2, 200, 4, 2, false],
    [11, 3, 208, 4, 2, false],
    [30, 4, 350, 4, 2, false],
    [50, 5, 500, 4, 2, false],
    [75, 8, 750, 4, 2, false],
    [100, 10, 1000, 4, 2, false],
    [101, 11, 1003, 8, 4, false],
    [300, 15, 1500, 8, 4, false],
    [500, 20, 2000, 8, 4, false],
    [750, 30, 3000, 8, 4, false],
    [1000, 40, 4000, 8, 4, false],
    [1001, 41, 4004, 8, 4, true],
    [10_000, 400, 40_000, 8, 4, true],
  ])(
    'gives %d tenants %d replicas, %d connections, %d GiB and %d cores',
    (tenants, replicas, connections, gib, cpuCores, isExtrapolated) => {
      const memoryBytes = gib * GIB;
      expect(sizeFor(tenants)).toEqual({ tenants, replicas, connections, memoryBytes, cpuCores, isExtrapolated });
    },
  );

  it('never gives more tenants less', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (tenants) => {
        const [less, more] = [sizeFor(tenants), sizeFor(tenants + 1)];
        expect(more.replicas).toBeGreaterThanOrEqual(less.replicas);
        expect(more.connections).toBeGreaterThanOrEqual(less.connections);
        expect(more.memoryBytes).toBeGreaterThanOrEqual(less.memoryBytes);
      }),
    );
  });
});

describe(sizeFromMeasured.name, () => {
  it.each([
    [20, { tenants: 10, connections: 90 }, 200, 2, true],
    [10, { tenants: 20, connections: 90 }, 50, 2, false],
    [1000, { tenants: 10, connections: 90 }, 10_000, 100, true],
    [300, { tenants: 3, connections: 0 }, 1, 2, true],
  ])('gives %d tenants that are like %j %d connections and %d replicas', (tenants, measured, ...expected) => {
    const { connections, replicas, isExtrapolated } = sizeFromMeasured(tenants, measured);
    expect([connections, replicas, isExtrapolated]).toEqual(expected);
  });
});
