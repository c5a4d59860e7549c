import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap of this process grow late rather than early. What an import needs at a time does not depend on the length of
 * its file, but V8 collects garbage the less often the longer it runs, so the memory that the process takes would grow; this
 * costs the command some time, of which it has enough beside the service.
 */
export function keepHeapSmall(): void {
  // Read by V8 whenever it decides how far the heap may grow, so it counts although the heap is there already.
  setFlagsFromString('--optimize-for-size');
}
