import process from 'node:process';

const effort = Number(process.env['PALISADE_TEST_EFFORT'] ?? 1);

/** How often a property is tried: `count` times, or `PALISADE_TEST_EFFORT` times that where there is more time. */
export function runs(count: number): number {
  if (!(effort > 0)) {
    throw new RangeError(
      `PALISADE_TEST_EFFORT: expected a number above 0, found ${process.env['PALISADE_TEST_EFFORT']}`,
    );
  }
  return Math.ceil(count * effort);
}
