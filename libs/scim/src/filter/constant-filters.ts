import type { Filter } from '@palisade/domain';

/** Holds for every resource. */
export const ALWAYS: Filter = { kind: 'and', operands: [] };
/** Holds for none. */
export const NEVER: Filter = { kind: 'or', operands: [] };
