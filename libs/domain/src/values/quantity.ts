const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `250ms`, `30s`, `5m`, `12h` or `30d`; undefined for any other text. */
export function parseDurationMs(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  return amount === undefined || unitMs === undefined ? undefined : Number(amount) * unitMs;
}

const MAX_CORES = 1024;

/** The units of a number of bytes: binary and decimal multiples, as Kubernetes and people write them. */
const UNIT_BYTES = new Map([
  ['', 1],
  ['B', 1],
  ...['K', 'M', 'G', 'T'].flatMap((letter, index): [string, number][] => [
    [`${letter}i`, 1024 ** (index + 1)],
    [`${letter}iB`, 1024 ** (index + 1)],
    [letter, 1000 ** (index + 1)],
    [`${letter}B`, 1000 ** (index + 1)],
  ]),
  ['k', 1000],
  ['kB', 1000],
]);

/** CPU cores of a quantity such as `500m`, `2`, `"1.5"` or `0.5`; undefined for anything else, or less than a thousandth. */
export function parseCores(quantity: unknown): number | undefined {
  const [, digits, milli] = /^(\d{1,6}(?:\.\d{1,3})?)(m?)$/.exec(asText(quantity)) ?? [];
  const cores = milli === 'm' ? Number(digits) / 1000 : Number(digits);
  return cores >= 0.001 && cores <= MAX_CORES ? cores : undefined;
}

/** Bytes of a quantity such as `256Mi`, `1.5Gi`, `512MB` or `1048576`; undefined for anything else, or less than one byte. */
export function parseBytes(quantity: unknown): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?) ?([a-zA-Z]{0,3})$/.exec(asText(quantity)) ?? [];
  const bytes = Math.floor(Number(digits) * (UNIT_BYTES.get(unit) ?? NaN));
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** The units that bytes are written in, the largest first. */
const WRITTEN_UNITS = ['Ti', 'Gi', 'Mi', 'Ki'].map((unit) => [unit, UNIT_BYTES.get(unit) ?? 1] as const);

/** As Kubernetes writes a number of bytes, exactly: `4Gi`, `512Mi`, or plain bytes. */
export function formatBytes(bytes: number): string {
  const [unit, size] = WRITTEN_UNITS.find(([, each]) => bytes > 0 && bytes % each === 0) ?? ['', 1];
  return `${bytes / size}${unit}`;
}

function asText(quantity: unknown): string {
  return typeof quantity === 'string' || typeof quantity === 'number' ? String(quantity) : '';
}
