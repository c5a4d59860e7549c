import type { NamespaceId } from '@palisade/domain';
import { limitsOf, type PoolSettings, type PoolTimings } from './pool-settings.js';

/** One thing that is wrong with settings. */
export interface PoolProblem {
  readonly setting: keyof PoolSettings;
  /** When it concerns the limits of one namespace. */
  readonly namespace?: NamespaceId;
  readonly text: string;
}

export function describePoolProblem({ setting, namespace, text }: PoolProblem): string {
  return `${setting}${namespace === undefined ? '' : `.${namespace}`}: ${text}`;
}

/** Timers cannot wait longer. */
const MAX_TIMING_MS = 2 ** 31 - 1;

const MIN_VALUES = { maxTotal: 1, maxPerNamespace: 1, maxNamespaces: 1, maxOpening: 1, maxQueued: 0 } as const;

const TIMINGS = [
  'acquireTimeoutMs',
  'connectTimeoutMs',
  'resetTimeoutMs',
  'idleTimeoutMs',
  'maxLifetimeMs',
  'evictionGraceMs',
  'initialBackoffMs',
  'maxBackoffMs',
] as const satisfies readonly (keyof PoolTimings)[];

export function findPoolProblems(settings: PoolSettings): PoolProblem[] {
  return [...findRangeProblems(settings), ...findCapProblems(settings), ...findNamespaceProblems(settings)];
}

function findRangeProblems(settings: PoolSettings): PoolProblem[] {
  const problems: PoolProblem[] = [];
  for (const [setting, min] of Object.entries(MIN_VALUES) as [keyof typeof MIN_VALUES, number][]) {
    if (!isInteger(settings[setting], min)) {
      problems.push({ setting, text: `expected an integer of at least ${min}, found ${settings[setting]}` });
    }
  }
  for (const setting of TIMINGS) {
    if (!(settings[setting] >= 0 && settings[setting] <= MAX_TIMING_MS)) {
      problems.push({ setting, text: `expected 0 to ${MAX_TIMING_MS} milliseconds, found ${settings[setting]}` });
    }
  }
  return problems;
}

function findCapProblems({ maxTotal, maxPerNamespace, maxNamespaces }: PoolSettings): PoolProblem[] {
  const problems: PoolProblem[] = [];
  if (maxPerNamespace > maxTotal) {
    problems.push({
      setting: 'maxPerNamespace',
      text: `expected at most the cap (${maxTotal}), found ${maxPerNamespace}`,
    });
  }
  if (maxNamespaces < maxTotal) {
    problems.push({
      setting: 'maxNamespaces',
      text: `expected at least the cap (${maxTotal}), found ${maxNamespaces}`,
    });
  }
  return problems;
}

function findNamespaceProblems(settings: PoolSettings): PoolProblem[] {
  const problems: PoolProblem[] = [];
  let reservedTotal = 0;
  for (const namespace of settings.namespaces.keys()) {
    const { max, reserved, weight } = limitsOf(settings, namespace);
    if (!isInteger(max, 1) || !isInteger(weight, 1) || !isInteger(reserved, 0) || reserved > max) {
      const text = `expected integers with max >= 1, weight >= 1 and 0 <= reserved <= max, found max=${max}, weight=${weight}, reserved=${reserved}`;
      problems.push({ setting: 'namespaces', namespace, text });
    }
    reservedTotal += reserved;
  }
  if (reservedTotal > settings.maxTotal) {
    const text = `expected reservations of at most the cap (${settings.maxTotal}) together, found ${reservedTotal}`;
    problems.push({ setting: 'namespaces', text });
  }
  return problems;
}

function isInteger(value: number, min: number): boolean {
  return Number.isSafeInteger(value) && value >= min;
}
