import { Inject, Injectable, Optional, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import {
  AccessDecisions,
  questionOf,
  type AccessHolder,
  type AccessQuestion,
} from './control-plane/access-decisions.js';
import { IsolationLevelError } from './isolation.errors.js';
import { CPU_METER, ISOLATION_OPTIONS, ISOLATION_SETTINGS, type IsolationOptions } from './isolation-options.js';
import { IsolationPolicy } from './policy/isolation-policy.js';
import type { SessionOwner } from './sessions/session-budget.js';
import { SessionManager, type OpenSessionOptions } from './sessions/session-manager.js';
import type { Session } from './sessions/session.js';
import type { IsolationSettings } from './isolation-settings.js';
import type { CpuMeter } from './limits/cpu-meter.js';

/**
 * The sessions, at the isolation level `session`. When the app shuts down, new ones are rejected at once, and existing ones
 * end after the requests under way.
 */
@Injectable()
export class IsolationSessions implements OnModuleDestroy, OnApplicationShutdown, AccessHolder {
  readonly #manager: SessionManager | undefined;

  constructor(
    @Inject(ISOLATION_SETTINGS) private readonly settings: IsolationSettings,
    @Inject(ISOLATION_OPTIONS) { backends, auditSink, clock }: IsolationOptions,
    @Inject(CPU_METER) meter: CpuMeter,
    private readonly policy: IsolationPolicy,
    @Optional() private readonly access?: AccessDecisions,
  ) {
    if (settings.level === 'session') {
      const limits = settings.pools.entries().map(([name, { maxTotal, perSessionLimit }]) => {
        return [name, { maxConnections: maxTotal, perSessionLimit }] as const;
      });
      const sessions = { ...settings.sessions, connectTimeoutMs: 5000, backends: new Map(limits) };
      const options = { settings: sessions, drivers: backends, sink: auditSink, clock, meter };
      this.#manager = new SessionManager(options);
    }
  }

  /** @throws {IsolationLevelError} at the other levels */
  get manager(): SessionManager {
    if (this.#manager === undefined) {
      throw new IsolationLevelError(this.settings.level, 'sessions');
    }
    return this.#manager;
  }

  /**
   * Sets up a session for a caller whose user may have it.
   *
   * @throws {NoPolicyError} {@link NamespaceNotServedError} when a control plane governs the process, and has sent no policy,
   * or one without the namespace
   * @throws {AccessDeniedError} {@link AccessUnknownError} when the control plane decides about access, and the user may not,
   * or that is not known
   * @throws {IsolationLevelError} at the other levels, and what {@link SessionManager.open} throws
   */
  async open(caller: SessionOwner, options?: OpenSessionOptions): Promise<Session> {
    const { manager } = this;
    this.policy.termsOf(caller.namespace);
    const question = questionOf(caller);
    if (question !== undefined) {
      await this.access?.require(question);
    }
    return await manager.open(caller, options);
  }

  *heldAccess(): Iterable<AccessQuestion> {
    for (const owner of this.#manager?.owners() ?? []) {
      const question = questionOf(owner);
      if (question !== undefined) {
        yield question;
      }
    }
  }

  endAccess(reasonFor: (question: AccessQuestion) => Error | undefined): void {
    this.#manager?.endWhere((owner) => {
      const question = questionOf(owner);
      return question && reasonFor(question);
    }, 'access_lost');
  }

  onModuleDestroy(): void {
    this.#manager?.stopOpening();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#manager?.drain();
  }
}
