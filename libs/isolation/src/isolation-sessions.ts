import { Inject, Injectable, Optional, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { NamespaceId, TenantId } from '@palisade/domain';
import { AccessDecisions, questionOf, type AccessHolder } from './control-plane/access-decisions.js';
import type { AccessQuestion } from './control-plane/known-access.js';
import { IsolationLevelError } from './isolation.errors.js';
import { ISOLATION_OPTIONS, type IsolationOptions } from './isolation-options.js';
import { IsolationPools } from './isolation-pools.js';
import { IsolationPolicy } from './policy/isolation-policy.js';
import { NamespaceNotServedError } from './policy/policy.errors.js';
import type { SessionOwner } from './sessions/session-budget.js';
import { SessionManager, type OpenSessionOptions } from './sessions/session-manager.js';
import type { Session } from './sessions/session.js';

/**
 * The sessions of namespaces with the isolation level `session`. A session ends at once when its namespace is not served any
 * more, or belongs to another tenant; when its namespace gets another level it goes on until it ends. When the app shuts down, new ones are rejected at
 * once, existing ones end after the requests under way, and then the connections of all are closed.
 */
@Injectable()
export class IsolationSessions implements OnModuleDestroy, OnApplicationShutdown, AccessHolder {
  readonly manager: SessionManager;

  constructor(
    private readonly policy: IsolationPolicy,
    private readonly pools: IsolationPools,
    @Inject(ISOLATION_OPTIONS) { auditSink: sink, clock }: IsolationOptions,
    @Optional() private readonly access?: AccessDecisions,
  ) {
    this.manager = new SessionManager({
      settings: policy.settings.sessions,
      backends: pools.forSessions(),
      requireSessions: (namespace) => this.#requireSessions(namespace),
      sink,
      clock,
    });
    policy.onChange(() => this.#follow());
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
    for (const owner of this.manager.owners()) {
      const question = questionOf(owner);
      if (question !== undefined) {
        yield question;
      }
    }
  }

  endAccess(reasonFor: (question: AccessQuestion) => Error | undefined): void {
    this.manager.endWhere((owner) => {
      const question = questionOf(owner);
      return question && reasonFor(question);
    }, 'access_lost');
  }

  onModuleDestroy(): void {
    this.manager.stopOpening();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.manager.drain();
    await this.pools.drain();
  }

  #requireSessions(namespace: NamespaceId): TenantId | undefined {
    const { level, tenantId } = this.policy.termsOf(namespace);
    if (level !== 'session') {
      throw new IsolationLevelError(level, 'sessions');
    }
    return tenantId;
  }

  #follow(): void {
    this.manager.reconfigure(this.policy.settings.sessions);
    const { policy } = this;
    this.manager.endWhere(({ namespace, policyTenantId }) => {
      const isServed = policy.findTerms(namespace) !== undefined && policy.tenantOf(namespace) === policyTenantId;
      return isServed ? undefined : new NamespaceNotServedError(namespace);
    }, 'namespace_not_served');
  }
}
