import { HttpStatus } from '@nestjs/common';
import type { StatusByCode } from '@palisade/platform';

/** The status with which the API answers each domain error, beside those that every app answers alike. */
export const CONTROL_PLANE_STATUSES: StatusByCode = {
  INVALID_IDENTIFIER: HttpStatus.BAD_REQUEST,
  INVALID_REQUEST: HttpStatus.BAD_REQUEST,
  UNKNOWN_POOL: HttpStatus.BAD_REQUEST,
  POOL_REQUIRED: HttpStatus.BAD_REQUEST,
  NAMESPACE_NOT_FOUND: HttpStatus.NOT_FOUND,
  NO_ROUTE: HttpStatus.NOT_FOUND,
  POOL_NOT_FOUND: HttpStatus.NOT_FOUND,
  PROXY_NOT_FOUND: HttpStatus.NOT_FOUND,
  TENANT_NOT_FOUND: HttpStatus.NOT_FOUND,
  MANAGED_ELSEWHERE: HttpStatus.CONFLICT,
  NAMESPACE_OVERLAP: HttpStatus.CONFLICT,
  SINGLE_TENANT: HttpStatus.CONFLICT,
  TENANT_CONFLICT: HttpStatus.CONFLICT,
  TOO_MANY_PATTERNS: HttpStatus.CONFLICT,
  LOAD_BALANCER_NOT_CONFIGURED: HttpStatus.CONFLICT,
  PRECONDITION_FAILED: HttpStatus.PRECONDITION_FAILED,
  LOAD_BALANCER_REJECTED: HttpStatus.BAD_GATEWAY,
  LOAD_BALANCER_ROLLED_BACK: HttpStatus.BAD_GATEWAY,
  LOAD_BALANCER_FAILED: HttpStatus.BAD_GATEWAY,
  LEADER_UNAVAILABLE: HttpStatus.SERVICE_UNAVAILABLE,
};
