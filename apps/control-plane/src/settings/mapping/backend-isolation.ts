import type { BackendKind, TenancyModel } from '@palisade/domain';
import type { ISOLATION_TYPES } from '../dto/backends.dto.js';
import { NAMED_BACKENDS } from '../kinds/name-formats.js';

/** How tenants are separated in a backend of that kind; there is one way for each. */
export function isolationTypeOf(model: TenancyModel, kind: BackendKind): (typeof ISOLATION_TYPES)[number] {
  return model === 'single_tenant' ? 'physical' : (NAMED_BACKENDS[kind]?.type ?? 'row_level_security');
}
