import { HttpException } from '@nestjs/common';
import { ProviderBusyError, ProviderNotFoundError, StoreUnavailableError } from '@palisade/domain';
import { ForbiddenError, IssuerUnavailableError, UnauthenticatedError } from '@palisade/guards';
import { TooManyRequestsException } from '@palisade/platform';
import { errorResource, ScimError, toScimError } from '@palisade/scim';
import { ScimAnswer } from './scim-answer.js';

/**
 * The SCIM answer to whatever ended a request; undefined when the error is unexpected.
 * Every status here is explained in docs/status-codes.md.
 */
export function toErrorAnswer(error: unknown): ScimAnswer | undefined {
  const described = describe(error);
  return described && new ScimAnswer(described.status, errorResource(described), headersOf(error));
}

/** A 500 that tells nothing but the request's id. */
export function toFailureAnswer(requestId: string | undefined): ScimAnswer {
  const detail = `internal error, request id ${requestId ?? 'unknown'}`;
  return new ScimAnswer(500, errorResource(new ScimError(500, undefined, detail)));
}

function describe(error: unknown): ScimError | undefined {
  if (error instanceof UnauthenticatedError || error instanceof ProviderNotFoundError) {
    return new ScimError(401, undefined, error.message);
  }
  if (error instanceof ForbiddenError) {
    return new ScimError(403, undefined, error.message);
  }
  if (error instanceof IssuerUnavailableError) {
    return new ScimError(503, undefined, error.message);
  }
  return toScimError(error) ?? describeTransportError(error);
}

/** Errors of the router and of the body reader carry a status; below 500 their message is meant for the client. */
function describeTransportError(error: unknown): ScimError | undefined {
  if (error instanceof HttpException) {
    const status = error.getStatus();
    return status < 500
      ? new ScimError(status, status === 400 ? 'invalidSyntax' : undefined, error.message)
      : undefined;
  }
  return undefined;
}

function headersOf(error: unknown): Record<string, string> {
  if (error instanceof UnauthenticatedError) {
    return { 'WWW-Authenticate': error.challenge };
  }
  if (error instanceof ProviderNotFoundError) {
    return { 'WWW-Authenticate': new UnauthenticatedError('invalid').challenge };
  }
  if (
    error instanceof StoreUnavailableError ||
    error instanceof IssuerUnavailableError ||
    error instanceof ProviderBusyError ||
    error instanceof TooManyRequestsException
  ) {
    return { 'Retry-After': String(Math.ceil(error.retryAfterSeconds)) };
  }
  return error instanceof MethodNotAllowedError ? { Allow: error.allow } : {};
}

/** The endpoint exists, the method does not (RFC 9110 §15.5.6 demands `Allow`). */
export class MethodNotAllowedError extends ScimError {
  constructor(readonly allow: string) {
    super(405, undefined, `expected one of the methods ${allow}`);
  }
}
