import {
  InvalidIdentifierError,
  MembershipCycleError,
  NestingTooDeepError,
  PreconditionFailedError,
  ProviderBusyError,
  ResourceNotFoundError,
  StoreUnavailableError,
  TooManyMembersError,
  UniquenessError,
  UnknownMemberError,
  type JsonObject,
} from '@palisade/domain';
import { ERROR_URN } from '../urns.js';
import { ScimError } from './scim.error.js';

/** What SCIM says of an error of the domain; undefined for one that the client has no business with. */
export function toScimError(error: unknown): ScimError | undefined {
  if (error instanceof ScimError) {
    return error;
  }
  if (error instanceof ResourceNotFoundError) {
    return new ScimError(404, undefined, error.message, { cause: error });
  }
  if (error instanceof UniquenessError) {
    return new ScimError(409, 'uniqueness', error.message, { cause: error });
  }
  if (error instanceof PreconditionFailedError) {
    return new ScimError(412, undefined, error.message, { cause: error });
  }
  if (
    error instanceof UnknownMemberError ||
    error instanceof MembershipCycleError ||
    error instanceof NestingTooDeepError ||
    error instanceof TooManyMembersError ||
    error instanceof InvalidIdentifierError
  ) {
    return new ScimError(400, 'invalidValue', error.message, { cause: error });
  }
  if (error instanceof ProviderBusyError) {
    return new ScimError(429, undefined, error.message, { cause: error });
  }
  if (error instanceof StoreUnavailableError) {
    return new ScimError(503, undefined, error.message, { cause: error });
  }
  return undefined;
}

/** The Error resource of RFC 7644 §3.12; `status` is a string there. */
export function errorResource(error: Pick<ScimError, 'status' | 'scimType' | 'detail'>): JsonObject {
  return {
    schemas: [ERROR_URN],
    status: String(error.status),
    ...(error.scimType === undefined ? {} : { scimType: error.scimType }),
    detail: error.detail,
  };
}
