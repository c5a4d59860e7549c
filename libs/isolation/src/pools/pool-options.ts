import type { NamespaceId } from '@palisade/domain';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import type { Clock } from '@palisade/async';
import type { ConnectionDriver } from './connection-driver.js';
import { describePoolProblem, findPoolProblems } from './pool-problems.js';
import type { NamespaceLimits, PoolSettings, PoolSettingsInput, PoolTerms } from './pool-settings.js';

export interface PoolsOptions<C> extends PoolSettingsInput {
  /** The backend's name in errors and snapshots. */
  readonly name: string;
  readonly driver: ConnectionDriver<C>;
  /**
   * Whether one connection serves many at a time. Then a namespace has one, besides those that are somebody's own, and the
   * limits count pieces of work. Default false.
   */
  readonly isMultiplexed?: boolean;
  /** What applies to a namespace now; asked when its pool appears and on `refresh`. Default: what the settings say. */
  readonly termsOf?: (namespace: NamespaceId) => PoolTerms;
  /** One pool for all namespaces, whichever is named. Default false: one for each. */
  readonly isShared?: boolean;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** Namespaces that may wait while the cap is taken by as many others. */
const WAITING_NAMESPACES = 1000;

const DEFAULTS = {
  namespaces: new Map<NamespaceId, Partial<NamespaceLimits>>(),
  maxQueued: 1000,
  maxOpening: 16,
  acquireTimeoutMs: 5_000,
  connectTimeoutMs: 5_000,
  resetTimeoutMs: 2_000,
  idleTimeoutMs: 60_000,
  maxLifetimeMs: 1_800_000,
  evictionGraceMs: 50,
  initialBackoffMs: 100,
  maxBackoffMs: 2_000,
};

/**
 * Fills in what is not given.
 *
 * @throws {InvalidSettingsError}
 */
export function resolvePoolSettings(options: PoolSettingsInput): PoolSettings {
  const resolved = completePoolSettings(options);
  const problems = findPoolProblems(resolved);
  if (problems.length > 0) {
    throw new InvalidSettingsError(problems.map(describePoolProblem));
  }
  return resolved;
}

/** With the defaults, and unchecked. */
export function completePoolSettings(options: PoolSettingsInput): PoolSettings {
  const { maxTotal } = options;
  const defaults: PoolSettings = {
    ...DEFAULTS,
    maxTotal,
    maxPerNamespace: maxTotal,
    maxNamespaces: maxTotal + WAITING_NAMESPACES,
  };
  const given = Object.entries(options).filter(([name, value]) => name in defaults && value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}
