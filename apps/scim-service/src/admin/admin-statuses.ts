import { HttpStatus } from '@nestjs/common';
import type { StatusByCode } from '@palisade/platform';

/** The status with which the admin API answers each domain error, beside those that every app answers alike. */
export const ADMIN_STATUSES: StatusByCode = {
  INVALID_IDENTIFIER: HttpStatus.BAD_REQUEST,
  INVALID_REQUEST: HttpStatus.BAD_REQUEST,
  UNKNOWN_SUBJECT: HttpStatus.BAD_REQUEST,
  BINDING_NOT_FOUND: HttpStatus.NOT_FOUND,
  NAMESPACE_NOT_FOUND: HttpStatus.NOT_FOUND,
  PROVIDER_NOT_FOUND: HttpStatus.NOT_FOUND,
  RESOURCE_NOT_FOUND: HttpStatus.NOT_FOUND,
  TOKEN_NOT_FOUND: HttpStatus.NOT_FOUND,
  BINDING_CONFLICT: HttpStatus.CONFLICT,
  PROVIDER_EXISTS: HttpStatus.CONFLICT,
  TOKEN_ENDED: HttpStatus.CONFLICT,
  PROVIDER_BUSY: HttpStatus.TOO_MANY_REQUESTS,
};
