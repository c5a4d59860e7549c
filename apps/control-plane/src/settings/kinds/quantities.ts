import { parseBytes, parseCores } from '@palisade/domain';
import type { Kind } from './kind.js';

const MAX_CORES = 1024;

/** Cores: a number, a text with a number, or thousandths such as `500m`. */
export const CPU: Kind<number> = {
  expected: `cores, such as "2", "0.5" or "500m", up to ${MAX_CORES}`,
  schema: { type: ['string', 'number'], pattern: '^\\d{1,7}(\\.\\d{1,3}|m)?$' },
  parse: (value) => {
    const cores = parseCores(value);
    return cores !== undefined && cores <= MAX_CORES ? cores : undefined;
  },
};

const MIN_BYTES = 2 ** 20;
const MAX_BYTES = 2 ** 46;

/** In bytes: `512Mi` and `4Gi` are binary, `512M` and `4G` decimal; a B may follow. */
export const MEMORY: Kind<number> = {
  expected: 'an amount of memory such as "512Mi", "4Gi" or "4G", from 1Mi to 64Ti',
  schema: { type: ['string', 'integer'], pattern: '^\\d{1,15}(\\.\\d{1,3})? ?([KkMGT]i?)?B?$' },
  parse: (value) => {
    const bytes = parseBytes(value);
    return bytes !== undefined && bytes >= MIN_BYTES && bytes <= MAX_BYTES ? bytes : undefined;
  },
  explain: (value) =>
    typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))
      ? 'a number alone counts bytes'
      : undefined,
};
