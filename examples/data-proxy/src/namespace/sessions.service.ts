import { Injectable } from '@nestjs/common';
import { IsolationSessions, RequestLimiter, type Session, type SessionId } from '@palisade/isolation';
import type { Call } from '../http/call.js';

/** The sessions of the caller. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: IsolationSessions,
    private readonly limiter: RequestLimiter,
  ) {}

  /** @throws {IsolationLevelError} unless the level is `session`, and {@link AccessDeniedError} */
  open({ caller, signal }: Call): Promise<Session> {
    // The library applies the rate limit to work; opening a session is not work, but costs a backend even more.
    this.limiter.admit(caller.namespace);
    return this.sessions.open(caller, { signal });
  }

  /** @throws {SessionNotFoundError} when the caller has no such session */
  end({ caller }: Call, id: SessionId): Promise<void> {
    return this.sessions.manager.end(id, caller);
  }
}
