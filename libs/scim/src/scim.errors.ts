import {
  DomainError,
  InvalidIdentifierError,
  type JsonObject,
  MembershipCycleError,
  NestingTooDeepError,
  PreconditionFailedError,
  ProviderBusyError,
  ResourceNotFoundError,
  StoreUnavailableError,
  TooManyMembersError,
  UniquenessError,
  UnknownMemberError,
} from '@palisade/domain';
import { ERROR_URN } from './urns.js';

/** RFC 7644 §3.12, table 9, and RFC 9865 §2.1, table 3. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive'
  | 'invalidCursor'
  | 'expiredCursor'
  | 'invalidCount';

/** A request that SCIM rejects: becomes the Error resource of RFC 7644 §3.12. */
export class ScimError extends DomainError {
  readonly code = 'SCIM';

  /** @param detail for the client: names the attribute or position, and says what was expected */
  constructor(
    readonly status: number,
    readonly scimType: ScimType | undefined,
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}

/** A 400 with the detail type of RFC 7644 §3.12. */
export function badRequest(scimType: ScimType, detail: string): ScimError {
  return new ScimError(400, scimType, detail);
}

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
