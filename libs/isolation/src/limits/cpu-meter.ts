import type { NamespaceId } from '@palisade/domain';

/** CPU time of one thread since the last report, in milliseconds. */
export interface CpuReport {
  readonly namespaces: ReadonlyMap<NamespaceId, number>;
  /** That of no namespace: the event loop, what comes before a namespace is known, and other modules. */
  readonly otherMs: number;
}

/** Tells how much CPU time each namespace takes. */
export interface CpuMeter {
  /** Charges the CPU time of work, and of all that it starts, to a namespace; to nobody without one. */
  run<T>(namespace: NamespaceId | undefined, work: () => T): T;

  /** Reports no more. */
  stop(): void;
}

/** Measures nothing, and costs nothing. */
export const NO_CPU_METER: CpuMeter = {
  run: (_namespace, work) => work(),
  stop: () => {},
};
