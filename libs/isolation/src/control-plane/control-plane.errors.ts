import { DomainError } from '@palisade/domain';

/** No control plane could be reached, or what came was not the answer of one. */
export class ControlPlaneUnavailableError extends DomainError {
  readonly code = 'CONTROL_PLANE_UNAVAILABLE';
}

/** A control plane understood the request and rejected it. */
export class ControlPlaneRejectedError extends DomainError {
  readonly code = 'CONTROL_PLANE_REJECTED';

  constructor(
    request: string,
    readonly status: number,
    /** The code of the answer, such as `PROXY_NOT_FOUND`. */
    readonly problem: string | undefined,
  ) {
    super(`the control plane answered ${request} with ${status}${problem === undefined ? '' : ` ${problem}`}`);
  }
}

/** The user may not do this in the namespace. */
export class AccessDeniedError extends DomainError {
  readonly code = 'ACCESS_DENIED';

  constructor(
    readonly user: string,
    readonly namespace: string,
    readonly relation: string,
    /** Why, as the control plane says it: `inactive_user`, say. */
    readonly reason: string,
  ) {
    super(`user ${JSON.stringify(user.slice(0, 100))} may not ${relation} in namespace "${namespace}": ${reason}`);
  }
}

/** Whether the user may do this is not known, because the control plane cannot be asked; so nothing is done. */
export class AccessUnknownError extends DomainError {
  readonly code = 'ACCESS_UNKNOWN';
  readonly retryAfterSeconds = 1;

  constructor(reason: string, options?: ErrorOptions) {
    super(`whether the user has access is not known: ${reason}`, options);
  }
}
