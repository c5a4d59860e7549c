import { applyDecorators, Controller } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { ForProvider, ForProviderOrUser } from '@palisade/guards';
import type { ScimTag } from './openapi/scim.openapi.js';

/** Where the protocol's URLs begin; the version in it is SCIM's (RFC 7644 §3.13). */
export const SCIM_ROOT = '/scim/v2';

export interface ScimControllerOptions {
  /** Where the API pages show it. */
  readonly tag: ScimTag;
  /** Admit users as well as provisioners. */
  readonly isOpenToUsers?: boolean;
}

/** A controller below `/scim/v2`, closed to everybody without a SCIM credential. */
export function ScimController(path: string, { tag, isOpenToUsers = false }: ScimControllerOptions): ClassDecorator {
  return applyDecorators(
    Controller(`scim/v2/${path}`),
    isOpenToUsers ? ForProviderOrUser() : ForProvider(),
    ApiTags(tag),
    ApiSecurity('scim'),
  );
}
