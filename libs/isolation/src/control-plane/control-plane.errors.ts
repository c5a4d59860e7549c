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
