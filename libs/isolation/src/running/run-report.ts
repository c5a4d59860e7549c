import type { Clock } from '@palisade/async';
import { type LogRecord, DomainError } from '@palisade/domain';
import type { AccessDecision } from '../control-plane/known-access.js';
import { AccessDeniedError, AccessUnknownError } from '../control-plane/control-plane.errors.js';
import { type ActionJournal, actionText } from '../audit/action-journal.js';
import { CpuLimitError, MemoryLimitError, RateLimitedError } from '../limits/limit.errors.js';
import { SessionRequiredError } from '../isolation.errors.js';
import { NamespaceNotServedError } from '../policy/policy.errors.js';
import { SessionNotFoundError } from '../sessions/session.errors.js';
import type { NamespaceTally, Outcome } from '../usage/namespace-tally.js';
import type { UsageRegistry } from '../usage/usage-registry.js';
import type { IsolationCaller, RunOptions } from './connection-source.js';
import type { WorkScope } from './work-scope.js';

export interface RunReportOptions {
  readonly caller: IsolationCaller;
  readonly backend: string;
  readonly run: RunOptions;
  readonly registry: UsageRegistry;
  readonly journal: ActionJournal;
  readonly clock: Clock;
}

const RESULTS: Readonly<Record<Outcome, LogRecord['result']>> = {
  succeeded: 'success',
  failed: 'failure',
  denied: 'denied',
  aborted: 'failure',
};

/** Follows one piece of work and tells of it: to the usage of its namespace, and to the audit trail. */
export class RunReport {
  readonly #options: RunReportOptions;
  readonly #startedAt: Date;
  readonly #startedAtMs: number;
  #tally: NamespaceTally | undefined = undefined;
  #hasStarted = false;
  #because: AccessDecision['because'];

  constructor(options: RunReportOptions) {
    this.#options = options;
    this.#startedAt = options.clock.date();
    this.#startedAtMs = options.clock.now();
  }

  /** It was not let in. */
  deny(error: unknown): void {
    const { caller, registry } = this.#options;
    const code = codeOf(error);
    registry.of(caller.namespace).counters.reject(code);
    this.#recordDenial(code);
  }

  /** Why the user may do it. */
  allow(because: AccessDecision['because']): void {
    this.#because = because;
  }

  admit(): void {
    const { caller, backend, registry } = this.#options;
    this.#tally = registry.of(caller.namespace);
    this.#tally.admit(backend);
  }

  /** It has a connection. */
  start(): void {
    this.#hasStarted = true;
    this.#tally?.start(this.#options.backend);
  }

  /** Resolves when it may be told to the caller. */
  async succeed({ rows }: WorkScope): Promise<void> {
    this.#end('succeeded', rows);
    await this.#record('succeeded', { rows });
  }

  /** Resolves when it may be told to the caller. */
  async fail(error: unknown, { rows, memoryError }: WorkScope): Promise<void> {
    const outcome = this.#outcomeOf(error);
    const code = outcome === 'aborted' ? 'ABORTED' : codeOf(error);
    this.#end(outcome, rows);
    // A limit that the work has met elsewhere counted that itself.
    if (outcome !== 'aborted' && (!this.#hasStarted || error === memoryError)) {
      this.#tally?.counters.reject(code);
    }
    if (outcome === 'denied') {
      this.#recordDenial(code, rows);
    } else {
      await this.#record(outcome, { rows, code });
    }
  }

  #outcomeOf(error: unknown): Outcome {
    if (this.#options.run.signal?.aborted) {
      return 'aborted';
    }
    return isDenial(error) ? 'denied' : 'failed';
  }

  #end(outcome: Outcome, rows = 0): void {
    const { backend, run, registry, clock } = this.#options;
    const nowMs = clock.now();
    const durationMs = run.isLongLived === true ? undefined : nowMs - this.#startedAtMs;
    this.#tally?.counters.add('rows', rows);
    this.#tally?.end(backend, { hasStarted: this.#hasStarted, outcome, nowMs, durationMs });
    registry.tell({ backend, outcome, durationMs });
  }

  async #record(outcome: Outcome, result: { rows?: number; code?: string }): Promise<void> {
    const { journal } = this.#options;
    if (journal.isOn) {
      await journal.record(this.#describe(outcome, result));
    }
  }

  #recordDenial(code: string, rows?: number): void {
    const { journal } = this.#options;
    if (journal.isOn) {
      journal.deny({ code, record: this.#describe('denied', { rows, code }) });
    }
  }

  #describe(outcome: Outcome, { rows, code }: { rows?: number; code?: string }): LogRecord {
    const { caller, backend, run, clock } = this.#options;
    return {
      timestamp: this.#startedAt,
      ...(caller.tenantId === undefined ? {} : { tenantId: actionText(caller.tenantId) }),
      namespace: caller.namespace,
      ...(caller.session === undefined ? {} : { sessionId: caller.session }),
      userId: actionText(caller.userId ?? caller.clientId),
      action: actionText(run.action ?? `${backend}.use`),
      resource: actionText(run.resource ?? backend),
      result: RESULTS[outcome],
      ...(rows === undefined ? {} : { rowsAccessed: rows }),
      ...(run.piiAccessed === undefined ? {} : { piiAccessed: run.piiAccessed }),
      detail: {
        backend,
        client_id: actionText(caller.clientId),
        duration_ms: Math.round(clock.now() - this.#startedAtMs),
        ...(code === undefined ? {} : { code }),
        ...(this.#because && { because: { ...this.#because } }),
      },
    };
  }
}

/** Whether work ended because of a limit of its namespace, or was not its caller's to do: no failure. */
export function isDenial(error: unknown): boolean {
  return (
    error instanceof RateLimitedError ||
    error instanceof CpuLimitError ||
    error instanceof MemoryLimitError ||
    error instanceof AccessDeniedError ||
    error instanceof AccessUnknownError ||
    error instanceof SessionNotFoundError ||
    error instanceof SessionRequiredError ||
    error instanceof NamespaceNotServedError
  );
}

export function codeOf(error: unknown): string {
  return error instanceof DomainError ? error.code : 'OTHER';
}
