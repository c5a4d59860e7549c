import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Store, type AuditEvent } from '@palisade/domain';
import {
  RefusalListener,
  UnauthenticatedError,
  type AuthenticatedRequest,
  type ForbiddenError,
  type RejectionReason,
} from '@palisade/guards';
import { currentRequest } from '@palisade/platform';
import { AttemptWindows } from './attempt-windows.js';

const MAX_UNWRITTEN = 1000;
const FLUSH_INTERVAL_MS = 1000;

/** Something that somebody was not allowed to do. */
export type DeniedAttempt = Pick<AuditEvent, 'actor' | 'action' | 'resource' | 'provider' | 'namespace' | 'detail'>;

/**
 * Writes refused attempts to the audit trail without making anybody wait: in batches, within a second, repeated ones
 * together (see {@link AttemptWindows}). What cannot be written is tried again; of that the latest 1000 are kept.
 */
@Injectable()
export class DeniedAttemptsRecorder extends RefusalListener implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(DeniedAttemptsRecorder.name);
  private readonly windows = new AttemptWindows();
  private unwritten: AuditEvent[] = [];
  private writing = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly store: Store) {
    super();
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write(this.windows.drain(new Date()));
  }

  override refused(error: UnauthenticatedError | ForbiddenError, request: AuthenticatedRequest): void {
    const resource = `${request.method} ${routeOf(request)}`;
    const remoteAddress = request.ip ?? 'unknown';
    if (error instanceof UnauthenticatedError) {
      this.recordUnauthenticated(resource, error.reason, remoteAddress);
      return;
    }
    const { principal } = request;
    const provider = principal === undefined || principal.kind === 'admin' ? undefined : principal.provider;
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
    this.windows.add(kind, { ...attempt, at: new Date(), requestId: currentRequest()?.requestId, result: 'denied' });
  }

  /** Writes what is due. Never fails: what could not be written stays. */
  flush(): Promise<void> {
    return this.write(this.windows.collect(new Date()));
  }

  private write(events: readonly AuditEvent[]): Promise<void> {
    this.unwritten = [...this.unwritten, ...events].slice(-MAX_UNWRITTEN);
    this.writing = this.writing.then(() => this.writeUnwritten());
    return this.writing;
  }

  private async writeUnwritten(): Promise<void> {
    const batch = this.unwritten;
    if (batch.length === 0) {
      return;
    }
    this.unwritten = [];
    try {
      await this.store.audit.append(batch);
    } catch (error) {
      this.unwritten = [...batch, ...this.unwritten].slice(-MAX_UNWRITTEN);
      this.logger.warn(`${batch.length} refused attempts could not be written to the audit trail yet`, error);
    }
  }
}

/** The route's template: paths hold names of people, and queries hold more. */
function routeOf({ route, baseUrl }: AuthenticatedRequest): string {
  const path: unknown = (route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? `${baseUrl}${path}` : 'unknown';
}
