import type { GroupId, NamespaceId, Relation, ResourceId } from '@palisade/domain';

/**
 * One Zanzibar-style tuple, `<object>#<relation>@<subject>`: the members of a group have a relation to a namespace, or
 * a user or the members of a group are members of a group.
 */
export type Relationship =
  | { readonly kind: 'binding'; readonly namespace: NamespaceId; readonly relation: Relation; readonly group: GroupId }
  | { readonly kind: 'membership'; readonly group: GroupId; readonly member: ResourceId };
