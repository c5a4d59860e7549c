import type { DirectoryStore } from './directory/directory-store.js';
import type { NamespaceId, ProviderId } from './identifiers.js';
import { includesRelation, type BindingStore, type Grant, type Relation } from './bindings.js';

/**
 * Why a user does not have a relation: there is no such user, the user is inactive, the binding that would give it is
 * suspended, the user has a weaker relation on the namespace, or has none.
 */
export const ACCESS_DENIALS = [
  'unknown_user',
  'inactive_user',
  'suspended_binding',
  'weaker_relation',
  'no_relation',
] as const;
export type AccessDenial = (typeof ACCESS_DENIALS)[number];

export interface AccessQuestion {
  readonly provider: ProviderId;
  /** Full identifier or external id of the user. */
  readonly reference: string;
  readonly namespace: NamespaceId;
  readonly relation: Relation;
  /** Whether the asker may learn who exists; otherwise the answer never depends on more than active bindings. */
  readonly knowsUsers: boolean;
}

export interface AccessAnswer {
  /** The grants of the relation, or of one that includes it; empty means no. */
  readonly grants: readonly Grant[];
  /** Absent when there are grants. */
  readonly denial?: AccessDenial;
}

/** Whether a user has a relation on a namespace, and why, or why not. @throws {StoreUnavailableError} */
export async function answerAccess(
  store: { readonly bindings: BindingStore; readonly directory: DirectoryStore },
  { provider, reference, namespace, relation, knowsUsers }: AccessQuestion,
): Promise<AccessAnswer> {
  const held = await store.bindings.grantsOf(provider, reference, namespace);
  const grants = held.filter(({ binding }) => includesRelation(binding.relation, relation));
  if (grants.length > 0) {
    return { grants };
  }
  const suspended = knowsUsers ? await store.bindings.suspendedGrantsOf(provider, reference, namespace) : [];
  if (suspended.some(({ binding }) => includesRelation(binding.relation, relation))) {
    return { grants, denial: 'suspended_binding' };
  }
  if (held.length > 0) {
    return { grants, denial: 'weaker_relation' };
  }
  return { grants, denial: knowsUsers ? await denialOf(store.directory, provider, reference) : 'no_relation' };
}

async function denialOf(directory: DirectoryStore, provider: ProviderId, reference: string): Promise<AccessDenial> {
  const user = await directory.find(provider, 'User', reference);
  if (user === undefined) {
    return 'unknown_user';
  }
  return user.attributes['active'] === false ? 'inactive_user' : 'no_relation';
}
