import { type LiveLimits, type ResourceLimits, resourcesOf } from '../../src/limits/resource-limits.js';

/** Limits as settings say them, for everybody and for some. */
export function liveLimits(limits: ResourceLimits): LiveLimits {
  return { ...limits, resourcesOf: (namespace) => resourcesOf(limits, namespace) };
}
