import type { StoredUser } from '@palisade/domain';
import type { UserSummary } from './deprovisioning.dto.js';

export function toUserSummary({ id, externalId, attributes }: StoredUser): UserSummary {
  return {
    id,
    external_id: externalId,
    user_name: String(attributes.userName),
    active: attributes.active !== false,
  };
}
