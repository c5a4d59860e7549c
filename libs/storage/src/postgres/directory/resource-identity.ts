import type { GroupId, ProviderId, ResourceDraft, ResourceId, ResourceType } from '@palisade/domain';
import type { ResourceRow } from './resource-row.js';

/** Which resource is being stored or changed. */
export interface ResourceIdentity {
  readonly provider: ProviderId;
  readonly type: ResourceType;
  readonly id: ResourceId;
}

export interface GroupIdentity {
  readonly provider: ProviderId;
  readonly id: GroupId;
}

export function identityOf(row: ResourceRow): ResourceIdentity {
  return { provider: row.provider_id, type: row.resource_type, id: row.id };
}

/** The search document as the column has it: under the provider, which makes every search in it provider-scoped. */
export function searchColumn(provider: ProviderId, { search }: ResourceDraft): string {
  return JSON.stringify({ [provider]: search });
}
