import type { Kind } from './kind.js';

const MAX_CORES = 1024;

/** Cores: a number, a text with a number, or thousandths such as `500m`. */
export const CPU: Kind<number> = {
  expected: `cores, such as "2", "0.5" or "500m", up to ${MAX_CORES}`,
  schema: { type: ['string', 'number'], pattern: '^\\d{1,7}(\\.\\d{1,3}|m)?$' },
  parse: (value) => {
    const cores = typeof value === 'number' ? value : typeof value === 'string' ? parseCores(value) : undefined;
    return cores !== undefined && cores > 0 && cores <= MAX_CORES ? cores : undefined;
  },
};

const UNITS = new Map([
  ['Ki', 2 ** 10],
  ['Mi', 2 ** 20],
  ['Gi', 2 ** 30],
  ['Ti', 2 ** 40],
  ['K', 1e3],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
]);
const MIN_BYTES = 2 ** 20;
const MAX_BYTES = 2 ** 46;

/** In bytes: `512Mi` and `4Gi` are binary, `512M` and `4G` decimal; a B may follow. */
export const MEMORY: Kind<number> = {
  expected: 'an amount of memory such as "512Mi", "4Gi" or "4G", from 1Mi to 64Ti',
  schema: { type: ['string', 'integer'], pattern: '^\\d{1,15}(\\.\\d{1,3})?([KkMGT]i?B?)?$' },
  parse: (value) => {
    const bytes = typeof value === 'number' ? value : typeof value === 'string' ? parseBytes(value) : undefined;
    return bytes !== undefined && Number.isSafeInteger(bytes) && bytes >= MIN_BYTES && bytes <= MAX_BYTES
      ? bytes
      : undefined;
  },
  explain: (value) =>
    typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))
      ? 'a number alone counts bytes'
      : undefined,
};

function parseCores(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,7}(?:\.\d{1,3})?)(m?)$/.exec(text) ?? [];
  if (amount === undefined || (unit === 'm' && amount.includes('.'))) {
    return undefined;
  }
  return unit === 'm' ? Number(amount) / 1000 : Number(amount);
}

function parseBytes(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,15}(?:\.\d{1,3})?)([A-Za-z]{0,3})$/.exec(text) ?? [];
  if (amount === undefined) {
    return undefined;
  }
  const factor = unit === '' ? 1 : UNITS.get(unit?.endsWith('B') ? unit.slice(0, -1) : (unit ?? ''));
  return factor === undefined ? undefined : Math.round(Number(amount) * factor);
}
