import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Store, type ActionRecord } from '@palisade/domain';
import {
  RefusalListener,
  UnauthenticatedError,
  routeOf,
  type AuthenticatedRequest,
  type ForbiddenError,
} from '@palisade/guards';
import { AttemptRecorder, currentRequest } from '@palisade/platform';

/** Something that somebody was not allowed to do. */
export type DeniedAttempt = Pick<ActionRecord, 'userId' | 'action' | 'resource' | 'tenantId' | 'namespace' | 'detail'>;

/** Writes refused attempts to the chain of actions, see {@link AttemptRecorder}. */
@Injectable()
export class DeniedAttemptsRecorder extends RefusalListener implements OnModuleInit, OnApplicationShutdown {
  private readonly recorder: AttemptRecorder<ActionRecord>;

  constructor(store: Store) {
    super();
    this.recorder = new AttemptRecorder<ActionRecord>({
      repeated: (first, repeats, timestamp) => ({ ...first, timestamp, detail: { ...first.detail, repeats } }),
      various: (repeats, timestamp) => ({
        timestamp,
        userId: 'anonymous',
        action: 'authentication',
        resource: 'various',
        result: 'denied',
        detail: { reason: 'too many different attempts to record each', repeats },
      }),
      write: (records) => store.actions.append(records),
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
      const detail = { reason: error.reason, remoteAddress };
      this.record({ userId: 'anonymous', action: 'authentication', resource, detail });
    } else {
      const detail = { reason: error.message, remoteAddress };
      this.record({ userId: request.principal?.actor ?? 'anonymous', action: 'authorization', resource, detail });
    }
  }

  record(attempt: DeniedAttempt): void {
    const { userId, action, resource, detail } = attempt;
    const kind = JSON.stringify([userId, action, resource, detail]);
    const at = new Date();
    const requestId = currentRequest()?.requestId;
    const known = { ...detail, ...(requestId !== undefined && { requestId }) };
    this.recorder.record(kind, { ...attempt, detail: known, timestamp: at, result: 'denied' }, at);
  }

  /** Writes what is due. */
  flush(): Promise<void> {
    return this.recorder.flush();
  }
}
