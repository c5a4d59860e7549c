import { formatBytes, type NamespaceResources } from '@palisade/domain';
import type { Resources } from './resolve-pools.js';

/** As files and API write limits. */
export type WrittenResources = Readonly<Partial<Record<'cpu' | 'memory', string> & Record<'max_rps', number>>>;

/** Each limit by the name that it has in files, in the form that is written there. */
export function writeResources({ cores, bytes, maxRps }: NamespaceResources): WrittenResources {
  return {
    ...(cores !== undefined && { cpu: String(cores) }),
    ...(bytes !== undefined && { memory: formatBytes(bytes) }),
    ...(maxRps !== undefined && { max_rps: maxRps }),
  };
}

export interface ResourceProblem {
  readonly key: keyof WrittenResources;
  /** Follows "expected". */
  readonly expected: string;
}

/**
 * What is wrong with the limits of a tenant: no namespace may use more than each of the proxies has, which are of the pools
 * that the tenant may be in, and CPU time is limited only where it is measured.
 */
export function resourceProblems(
  { cores = 0, bytes = 0 }: NamespaceResources,
  proxies: readonly Resources[],
  measuresCpu: boolean,
  proxy = 'a proxy',
): ResourceProblem[] {
  const maxCores = Math.max(...proxies.map(({ cpu }) => cpu));
  const maxBytes = Math.max(...proxies.map(({ memoryBytes }) => memoryBytes));
  const unmeasured = 'none, as proxies measure CPU time only when usage.cpu is true in the configuration file';
  return [
    ...(cores > 0 && !measuresCpu ? [{ key: 'cpu', expected: unmeasured } as const] : []),
    ...(cores > maxCores ? [{ key: 'cpu', expected: `at most ${maxCores}, the cores of ${proxy}` } as const] : []),
    ...(bytes > maxBytes
      ? [{ key: 'memory', expected: `at most ${formatBytes(maxBytes)}, the memory of ${proxy}` } as const]
      : []),
  ];
}
