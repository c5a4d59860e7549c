const UNIT_MS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** Longer ones do not fit into a timer. */
const MAX_DURATION_MS = 2 ** 31 - 1;

/** Milliseconds of a duration such as `300s`, `250ms`, `5m` or `1h`; undefined when the text is none. */
export function parseDuration(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,10})(ms|s|m|h)$/.exec(text) ?? [];
  const durationMs = Number(digits) * (UNIT_MS.get(unit) ?? NaN);
  return durationMs <= MAX_DURATION_MS ? durationMs : undefined;
}
