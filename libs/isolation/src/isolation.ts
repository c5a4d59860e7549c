import { Inject, Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import type { NamespaceId } from '@palisade/domain';
import { ActionJournal } from './audit/action-journal.js';
import { type BackendDriverClass, requireBackend, type ScopedClient } from './backends/backend-driver.js';
import { AccessDecisions, questionOf, type AccessHolder } from './control-plane/access-decisions.js';
import type { AccessDecision, AccessQuestion } from './control-plane/known-access.js';
import type { Connections } from './running/connections.js';
import type { IsolationCaller, RunOptions } from './running/connection-source.js';
import { IsolationClosedError } from './isolation.errors.js';
import { LinkedAbort } from './running/linked-abort.js';
import { RunReport } from './running/run-report.js';
import { useClient } from './running/use-client.js';
import { WorkScope } from './running/work-scope.js';
import {
  CONNECTION_SOURCE,
  CPU_METER,
  DEFAULT_SHUTDOWN_GRACE_MS,
  ISOLATION_OPTIONS,
  type IsolationOptions,
} from './isolation-options.js';
import { Admission } from './limits/admission.js';
import { IsolationPools } from './isolation-pools.js';
import { IsolationPolicy } from './policy/isolation-policy.js';
import { partOfCap } from './pools/capacity.js';
import { reservedTotal } from './pools/pool-settings.js';
import { SYSTEM_CLOCK, type Clock } from '@palisade/async';
import type { CpuMeter } from './limits/cpu-meter.js';
import { UsageRegistry } from './usage/usage-registry.js';

/** Work that is under way. */
interface Underway {
  readonly caller: IsolationCaller;
  readonly abort: LinkedAbort;
  readonly ended: Promise<void>;
}

/**
 * The way for an authenticated caller to a backend: within the caller's limits, over a connection that the isolation level of their
 * namespace gives them, with a client that reaches what belongs to their namespace and nothing else; accounted for, and on record.
 */
@Injectable()
export class Isolation implements OnApplicationShutdown, AccessHolder {
  readonly #clock: Clock;
  readonly #underWay = new Set<Underway>();

  constructor(
    @Inject(ISOLATION_OPTIONS) private readonly options: IsolationOptions,
    @Inject(CONNECTION_SOURCE) private readonly connections: Connections,
    private readonly pools: IsolationPools,
    private readonly policy: IsolationPolicy,
    @Inject(CPU_METER) private readonly meter: CpuMeter,
    private readonly admission: Admission,
    private readonly registry: UsageRegistry,
    private readonly journal: ActionJournal,
    @Optional() private readonly access?: AccessDecisions,
  ) {
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    policy.onChange(() => journal.reconfigure(policy.settings.actions));
  }

  /**
   * Does work for a caller with a client of a backend, of the class that the driver's class says. The client ends with
   * the work. When `signal` aborts, the work is told so through the client; what does not end within a second is left
   * alone, and its connection is closed.
   *
   * The work was not begun unless the error is its own, an abort, or says otherwise.
   *
   * @throws {AccessDeniedError} {@link AccessUnknownError} when the control plane decides about access, and the caller's user
   * may not do it or that is not known; also when access is lost while the work is under way
   * @throws {RateLimitedError} {@link CpuLimitError} {@link MemoryLimitError} when the namespace is at a limit
   * @throws {AuditUnavailableError} when records are mandatory and cannot be written
   * @throws {PoolTimeoutError} {@link PoolExhaustedError} {@link BackendUnavailableError} {@link PoolClosedError} when
   * there is no connection
   * @throws {SessionRequiredError} {@link SessionNotFoundError} {@link SessionBusyError} {@link SessionEndedError} at the
   * level `session`
   * @throws {IsolationLevelError} when the caller names a session at another level
   * @throws {NoPolicyError} {@link NamespaceNotServedError} when the namespace is not served here
   * @throws {UnknownBackendError} when there is no such backend, or its driver is of another class
   * @throws the reason of `signal` when that aborts first
   */
  async run<C, S extends ScopedClient, T>(
    asCalled: IsolationCaller,
    backend: string,
    driverClass: BackendDriverClass<C, S>,
    work: (client: S) => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    const driver = requireBackend(backend, this.options.backends, driverClass);
    const { tenantId } = this.connections.check(asCalled);
    const caller = tenantId === undefined ? asCalled : { ...asCalled, tenantId };
    const report = this.#createReport(caller, backend, options);
    using abort = new LinkedAbort();
    abort.follow(options.signal);
    // What is under way ends with the access of its caller, also while it is not decided yet.
    using _ = this.#begin(caller, abort);
    await this.#admit(caller, report, options.signal);
    const { namespace } = caller;
    return await this.meter.run(namespace, async () => {
      using scope = new WorkScope(abort.signal, namespace, this.admission.memory);
      report.admit();
      let result: T;
      try {
        result = await this.connections.lease({ caller, backend, driverClass, abort }, (lease) => {
          report.start();
          return useClient({ driver, lease, namespace, scope, clock: this.#clock }, work);
        });
      } catch (error) {
        await report.fail(error, scope);
        throw error;
      }
      await report.succeed(scope);
      return result;
    });
  }

  /**
   * Whether anything may be done for a caller: for what is done for them outside of {@link run}.
   *
   * @throws {NoPolicyError} {@link NamespaceNotServedError} {@link AccessDeniedError} {@link AccessUnknownError}
   */
  async authorize(caller: IsolationCaller): Promise<AccessDecision['because']> {
    this.policy.termsOf(caller.namespace);
    const question = questionOf(caller);
    return question && (await this.access?.require(question));
  }

  /**
   * Charges the CPU time of work, and of all that it starts, to a namespace, when CPU time is measured: for what is done
   * for a caller outside of {@link run}, such as rendering an answer.
   */
  charge<T>(namespace: NamespaceId, work: () => T): T {
    return this.meter.run(namespace, work);
  }

  /**
   * Leaves this process its part of the caps (`max_total_connections`, `max_connections`), which hold for all replicas of
   * a service together: rounded down, one connection at least, and never fewer than are reserved. To be called whenever the
   * number of replicas changes. What is beyond a cap that became lower is closed as soon as nobody uses it; sessions that
   * exist stay.
   *
   * @throws {RangeError} when `replicas` is no integer from 1 on
   */
  divideCaps(replicas: number): void {
    for (const [backend, { maxTotal, namespaces = new Map() }] of this.policy.settings.pools) {
      this.pools.setCap(backend, partOfCap(maxTotal, replicas, Math.max(1, reservedTotal({ namespaces }))));
    }
  }

  /**
   * Leaves this process its part of a backend's cap, which holds for several processes together; 0 for nothing. No connection
   * is opened beyond it; idle ones are closed, others when they are given back, those of sessions when the session ends.
   *
   * @throws {UnknownBackendError} when there is no such backend
   * @throws {RangeError} when it is no number of connections
   */
  setCap(backend: string, limit: number): void {
    this.pools.setCap(backend, limit);
  }

  /** Aborts the work, waiting or running, of those callers for which `errorFor` has an error; the work fails with it. */
  abortWhere(errorFor: (caller: IsolationCaller) => Error | undefined): void {
    for (const { caller, abort } of this.#underWay) {
      const error = errorFor(caller);
      if (error !== undefined) {
        abort.abort(error);
      }
    }
  }

  *heldAccess(): Iterable<AccessQuestion> {
    for (const { caller } of this.#underWay) {
      const question = questionOf(caller);
      if (question !== undefined) {
        yield question;
      }
    }
  }

  endAccess(reasonFor: (question: AccessQuestion) => Error | undefined): void {
    this.abortWhere((caller) => {
      const question = questionOf(caller);
      return question && reasonFor(question);
    });
  }

  /** Waits for work that is under way, and has it end when that takes too long. */
  async onApplicationShutdown(): Promise<void> {
    const graceMs = this.options.shutdownGraceMs ?? DEFAULT_SHUTDOWN_GRACE_MS;
    const timer = this.#clock.setTimer(() => {
      for (const { abort } of this.#underWay) {
        abort.abort(new IsolationClosedError(graceMs));
      }
    }, graceMs);
    while (this.#underWay.size > 0) {
      await Promise.all([...this.#underWay].map(({ ended }) => ended));
    }
    timer.cancel();
    await this.journal.flush(graceMs);
    this.meter.stop();
  }

  async #admit(caller: IsolationCaller, report: RunReport, signal: AbortSignal | undefined): Promise<void> {
    const { namespace } = caller;
    signal?.throwIfAborted();
    try {
      report.allow(await this.authorize(caller));
      await this.journal.requireSink();
      this.admission.admit(namespace);
    } catch (error) {
      report.deny(error);
      throw error;
    }
  }

  #begin(caller: IsolationCaller, abort: LinkedAbort): Disposable {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const underway = { caller, abort, ended };
    this.#underWay.add(underway);
    return {
      [Symbol.dispose]: () => {
        this.#underWay.delete(underway);
        resolve();
      },
    };
  }

  #createReport(caller: IsolationCaller, backend: string, run: RunOptions): RunReport {
    const { registry, journal } = this;
    return new RunReport({ caller, backend, run, registry, journal, clock: this.#clock });
  }
}
