import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { LatencyHistogram } from './latency-histogram.js';

describe(LatencyHistogram, () => {
  it('knows nothing without work', () => {
    expect(new LatencyHistogram().percentile(5, 0.5)).toBeUndefined();
  });

  it('tells percentiles to within 41 %', () => {
    const property = fc.property(
      fc.array(fc.double({ min: 0.25, max: 100_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.99, 1),
      (durations, share) => {
        const histogram = new LatencyHistogram();
        durations.forEach((durationMs) => histogram.add(0, durationMs));
        const exact = durations.toSorted((a, b) => a - b)[Math.ceil(share * durations.length) - 1] ?? 0;
        const told = histogram.percentile(0, share) ?? 0;
        expect(told).toBeGreaterThanOrEqual(exact * 0.999_999);
        expect(told).toBeLessThanOrEqual(exact * 1.415);
      },
    );
    fc.assert(property);
  });

  it('forgets what is older than a minute, and no sooner than after half of one', () => {
    const histogram = new LatencyHistogram();
    histogram.add(29_999, 1000);
    expect(histogram.percentile(59_999, 1)).toBeDefined();
    expect(histogram.percentile(60_000, 1)).toBeUndefined();
    histogram.add(61_000, 1);
    expect(histogram.percentile(500_000, 1)).toBeUndefined();
  });

  it('has room for what takes longer than anything should', () => {
    const histogram = new LatencyHistogram();
    histogram.add(0, 10_000_000);
    expect(histogram.percentile(0, 1)).toBe(131_072);
  });
});
