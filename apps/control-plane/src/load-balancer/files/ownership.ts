/** Stands at the beginning of every file that may be overwritten. */
export const OWNERSHIP_MARK =
  'Written by the Palisade control plane, which overwrites it: put what is yours into a file of your own.';
