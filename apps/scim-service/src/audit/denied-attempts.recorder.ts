import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Store, type AuditEvent } from '@palisade/domain';
import {
  RefusalListener,
  UnauthenticatedError,
  routeOf,
  type AuthenticatedRequest,
  type ForbiddenError,
  type RejectionReason,
} from '@palisade/guards';
import { AttemptRecorder, currentRequest } from '@palisade/platform';

/** Something that somebody was not allowed to do. */
export type DeniedAttempt = Pick<AuditEvent, 'actor' | 'action' | 'resource' | 'provider' | 'namespace' | 'detail'>;

/** Writes refused attempts to the audit trail, see {@link AttemptRecorder}. */
@Injectable()
export class DeniedAttemptsRecorder extends RefusalListener implements OnModuleInit, OnApplicationShutdown {
  private readonly recorder: AttemptRecorder<AuditEvent>;

  constructor(store: Store) {
    super();
    this.recorder = new AttemptRecorder<AuditEvent>({
      repeated: (first, repeats, at) => ({
        ...first,
        at,
        requestId: undefined,
        detail: { ...first.detail, repeats },
      }),
      various: (repeats, at) => ({
        at,
        actor: 'anonymous',
        action: 'authentication',
        resource: 'various',
        result: 'denied',
        detail: { reason: 'too many different attempts to record each', repeats },
      }),
      write: (events) => store.audit.append(events),
    });
  }

  onModuleInit(): void {
    this.recorder.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.recorder.stop();
  }

  override refused(error: UnauthenticatedError | ForbiddenError, request: AuthenticatedRequest): void {
    const resource = `${request.method} ${routeOf(request)}`;
    const remoteAddress = request.ip ?? 'unknown';
    if (error instanceof UnauthenticatedError) {
      this.recordUnauthenticated(resource, error.reason, remoteAddress);
      return;
    }
    const { principal } = request;
    const provider = principal !== undefined && 'provider' in principal ? principal.provider : undefined;
    const detail = { reason: error.message, remoteAddress };
    this.record({ actor: principal?.actor ?? 'anonymous', action: 'authorization', resource, provider, detail });
  }

  /** @param resource a route: what callers who are nobody choose must not tell their attempts apart */
  recordUnauthenticated(resource: string, reason: RejectionReason, remoteAddress: string): void {
    this.record({ actor: 'anonymous', action: 'authentication', resource, detail: { reason, remoteAddress } });
  }

  record(attempt: DeniedAttempt): void {
    const { actor, action, resource, detail } = attempt;
    const kind = JSON.stringify([actor, action, resource, detail]);
    const at = new Date();
    this.recorder.record(kind, { ...attempt, at, requestId: currentRequest()?.requestId, result: 'denied' }, at);
  }

  /** Writes what is due. */
  flush(): Promise<void> {
    return this.recorder.flush();
  }
}
