import {
  answerAccess,
  BINDING_SOURCES,
  InvalidIdentifierError,
  membershipLine,
  parseGroupId,
  parseNamespaceId,
  RELATIONS,
  type AccessAnswer,
  type BindingKey,
  type BindingSource,
  type BindingState,
  type ChangeContext,
  type Grant,
  type ListedBinding,
  type NamespaceUser,
  type Relation,
  type Store,
} from '@palisade/domain';
import { ScimServer, type ScimServerOptions } from './scim-server.js';

export interface ProvisioningServerOptions extends ScimServerOptions {
  readonly store: Pick<Store, 'directory' | 'bindings'>;
}

/** What a binding is found by. */
export interface BindingReference {
  /** Full identifier of the group: `group:scim:<provider_id>:<external_id>`. */
  readonly boundSubject: string;
  readonly namespace: string;
  /** Default `read`. */
  readonly relation?: Relation;
}

export interface BindingRequest extends BindingReference {
  /** Who approves it. */
  readonly approvedBy: string;
  /** Default `manual`. */
  readonly source?: BindingSource;
  /** Bind a group that does not exist yet. Default false. */
  readonly pending?: boolean;
}

export interface BindingSelection {
  readonly namespace?: string;
  readonly state?: BindingState;
}

export interface AccessRequest {
  /** Full identifier or external id of a user of the provider. */
  readonly user: string;
  readonly namespace: string;
  /** Default `read`. */
  readonly relation?: Relation;
}

const PAGE_LIMIT = 1000;

/**
 * The provisioning service without HTTP: the SCIM operations of one identity provider, what an admin does with bindings and
 * leavers, and the questions about access. Bindings are the only thing that grants access; no SCIM operation makes one.
 */
export class ProvisioningServer extends ScimServer {
  private readonly store: ProvisioningServerOptions['store'];
  private readonly now: () => number;

  constructor(options: ProvisioningServerOptions) {
    super(options);
    this.store = options.store;
    this.now = options.now ?? Date.now;
  }

  /**
   * Grants the members of a group, of this or another provider, a relation on a namespace. Adding it again changes nothing.
   *
   * @throws {InvalidIdentifierError}
   * @throws {UnknownSubjectError} when the group does not exist, unless `pending`
   * @throws {BindingConflictError} when the group is bound already, from another source
   */
  async addBinding({ approvedBy, source = 'manual', pending = false, ...key }: BindingRequest): Promise<ListedBinding> {
    const binding = { ...toKey(key), source: oneOf('source', BINDING_SOURCES, source), approvedBy };
    return (await this.store.bindings.add(binding, this.change(approvedBy), { pending })).binding;
  }

  /** All bindings, whatever provider their groups belong to, in order of namespace, group and relation. */
  listBindings({ namespace, state }: BindingSelection = {}): Promise<ListedBinding[]> {
    const query = { namespace: namespace === undefined ? undefined : parseNamespaceId(namespace), state };
    return everyPage((after: ListedBinding | undefined) =>
      this.store.bindings.list({ ...query, after, limit: PAGE_LIMIT }),
    );
  }

  /** @returns false when there was no such binding */
  async removeBinding(reference: BindingReference, actor?: string): Promise<boolean> {
    return this.store.bindings.remove(toKey(reference), this.change(actor));
  }

  /**
   * Marks a user inactive, which ends all access at once; memberships and bindings stay. Succeeds as well when the user is.
   *
   * @throws {ResourceNotFoundError}
   */
  async deactivateUser(reference: string, actor?: string): Promise<void> {
    await this.store.directory.deactivateUser(this.provider, reference, this.change(actor));
  }

  /**
   * `<group_display_name>:<user_external_id>` for every membership of an inactive user, sorted. With `apply`, these memberships
   * are removed too, in one transaction.
   */
  async reconcileDeprovisioned(
    { apply = false }: { readonly apply?: boolean } = {},
    actor?: string,
  ): Promise<string[]> {
    const affected = await this.store.directory.reconcileDeprovisioned(this.provider, { apply }, this.change(actor));
    return affected.map(membershipLine);
  }

  /** Whether a user has a relation on a namespace: through which groups and bindings, or why not. */
  async explainAccess({ user, namespace, relation = 'read' }: AccessRequest): Promise<AccessAnswer> {
    return answerAccess(this.store, {
      provider: this.provider,
      reference: user,
      namespace: parseNamespaceId(namespace),
      relation: toRelation(relation),
      knowsUsers: true,
    });
  }

  async hasAccess(request: AccessRequest): Promise<boolean> {
    return (await this.explainAccess(request)).grants.length > 0;
  }

  /** Everything that a user may do. */
  listAccess(user: string): Promise<Grant[]> {
    return this.store.bindings.grantsOf(this.provider, user);
  }

  /** The users, of any provider, who have at least the relation on the namespace, in order of id. */
  async listUsersWithAccess(namespace: string, relation: Relation = 'read'): Promise<NamespaceUser[]> {
    const query = { namespace: parseNamespaceId(namespace), relation: toRelation(relation), limit: PAGE_LIMIT };
    return everyPage((after: NamespaceUser | undefined) => this.store.bindings.usersOf({ ...query, after: after?.id }));
  }

  private change(actor = 'programmatic'): ChangeContext {
    return { actor, at: new Date(this.now()) };
  }
}

function toKey({ boundSubject, namespace, relation = 'read' }: BindingReference): BindingKey {
  return {
    boundSubject: parseGroupId(boundSubject),
    namespace: parseNamespaceId(namespace),
    relation: toRelation(relation),
  };
}

function toRelation(text: string): Relation {
  return oneOf('relation', RELATIONS, text);
}

/** Callers in plain JavaScript have no compiler to tell them. @throws {InvalidIdentifierError} */
function oneOf<T extends string>(kind: string, choices: readonly T[], text: string): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) {
    throw new InvalidIdentifierError(kind, text, `one of ${choices.join(', ')}`);
  }
  return found;
}

/** @param readPage a page of at most `PAGE_LIMIT`, after its argument */
async function everyPage<T>(readPage: (after: T | undefined) => Promise<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  let page: readonly T[];
  do {
    page = await readPage(all.at(-1));
    all.push(...page);
  } while (page.length === PAGE_LIMIT);
  return all;
}
