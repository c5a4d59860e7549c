import type { NamespaceId, ProviderId } from '../identifiers.js';
import type { Store } from '../stores/store.js';
import { includesRelation, type Grant, type Relation } from './binding.js';

/**
 * Why a user has not got a relation: there is no such user, or they are inactive, or what they have in the namespace is
 * less, or they have nothing there.
 */
export const ACCESS_REFUSALS = ['unknown_user', 'inactive_user', 'weaker_relation', 'no_relation'] as const;
export type AccessRefusal = (typeof ACCESS_REFUSALS)[number];

export interface AccessQuestion {
  readonly provider: ProviderId;
  /** Full identifier or external id of the user. */
  readonly reference: string;
  readonly namespace: NamespaceId;
  readonly relation: Relation;
  /** Whether who asks may learn who exists: without, unknown and inactive users just have no relation. */
  readonly knowsUsers: boolean;
}

export interface AccessAnswer {
  /** Those that give the user the relation, or one that includes it; none means no. */
  readonly grants: readonly Grant[];
  /** Absent when there are grants. */
  readonly refusal?: AccessRefusal;
}

/** Whether a user has a relation on a namespace, and why, or why not. @throws {StoreUnavailableError} */
export async function answerAccess(
  store: Pick<Store, 'bindings' | 'directory'>,
  { provider, reference, namespace, relation, knowsUsers }: AccessQuestion,
): Promise<AccessAnswer> {
  const held = await store.bindings.grantsOf(provider, reference, namespace);
  const grants = held.filter(({ binding }) => includesRelation(binding.relation, relation));
  if (grants.length > 0) {
    return { grants };
  }
  if (held.length > 0) {
    return { grants, refusal: 'weaker_relation' };
  }
  return { grants, refusal: knowsUsers ? await refuse(store, provider, reference) : 'no_relation' };
}

async function refuse(
  { directory }: Pick<Store, 'directory'>,
  provider: ProviderId,
  reference: string,
): Promise<AccessRefusal> {
  const user = await directory.find(provider, 'User', reference);
  if (user === undefined) {
    return 'unknown_user';
  }
  return user.attributes['active'] === false ? 'inactive_user' : 'no_relation';
}
