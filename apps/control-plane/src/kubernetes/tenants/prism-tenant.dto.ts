import { OmitType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { TenantBody } from '../../tenants/tenants.dto.js';

const MAX_NAMESPACES = 1000;

/** What the spec of a PrismTenant may say: as in the API, but with names of namespaces instead of patterns. */
export class PrismTenantSpec extends OmitType(TenantBody, ['namespace_pattern', 'namespace_patterns']) {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_NAMESPACES)
  @IsString({ each: true })
  readonly namespaces!: readonly string[];
}
