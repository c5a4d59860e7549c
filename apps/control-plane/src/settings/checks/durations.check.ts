import type { Findings } from '../findings/findings.js';
import type { Path } from '../findings/path.js';
import { ANY_DURATION } from '../kinds/basic-kinds.js';
import { readOptional } from '../kinds/kind.js';
import type { Check } from './check.js';

/** Times that depend on each other. */
export const checkDurations: Check = ({ health_checks: health, dns }, findings) => {
  const path = ['health_checks'];
  if (areSound(findings, [...path, 'timeout'], [...path, 'interval']) && msOf(health.timeout) > msOf(health.interval)) {
    findings.expected([...path, 'timeout'], `at most the interval (${health.interval})`, health.timeout);
  }
  const { heartbeat_timeout: unhealthy, forget_after: forgotten } = health;
  if (
    areSound(findings, [...path, 'heartbeat_timeout'], [...path, 'forget_after']) &&
    msOf(forgotten) <= msOf(unhealthy)
  ) {
    findings.expected([...path, 'forget_after'], `more than heartbeat_timeout (${unhealthy})`, forgotten);
  }
  if (dns !== undefined && msOf(dns.ttl) % 1000 !== 0) {
    findings.expected(['dns', 'ttl'], 'whole seconds', dns.ttl);
  }
};

function areSound(findings: Findings, ...paths: readonly Path[]): boolean {
  return paths.every((path) => findings.isSound(path));
}

function msOf(text: string): number {
  return readOptional(ANY_DURATION, text) ?? 0;
}
