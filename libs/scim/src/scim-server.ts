import {
  DEFAULT_PROVIDER_SETTINGS,
  parseProviderId,
  type JsonObject,
  type ProviderId,
  type ProviderSettings,
  type ResourceType,
  type Store,
} from '@palisade/domain';
import { runBulk } from './bulk/run-bulk.js';
import { createResourceSchema } from './schema/create-resource-schema.js';
import type { ListParameters } from './operations/list-parameters.js';
import { ResourceOperations, type ResourceContext } from './operations/resource-operations.js';
import type { AttributeSelection, ResourceAnswer, ScimRequest } from './operations/scim-request.js';
import { search } from './operations/search.js';

export interface ScimServerOptions {
  readonly store: Pick<Store, 'directory'>;
  /** Every object that this server reads or writes belongs to this provider. */
  readonly provider: string;
  readonly settings?: Partial<ProviderSettings>;
  /** The provider must be in the store's `ProviderStore`; creates fail with `ProviderNotFoundError` otherwise. Default false. */
  readonly isRegistered?: boolean;
  /** Root of the protocol's URLs, without a trailing slash; shows in `meta.location` and `$ref`. Default `/scim/v2`. */
  readonly baseUrl?: string;
  /** Milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
  /** Runs each read of the store, of a few MiB at most; by default at once. */
  readonly inTurn?: ResourceContext['inTurn'];
}

/**
 * A SCIM 2.0 service provider bound to one identity provider: everything of RFC 7644 except HTTP. Identifiers are full
 * ones or external ids. Operations reject with a `ScimError` or a domain error; `toScimError` and `errorResource` make
 * the Error resource of it.
 */
export class ScimServer {
  readonly provider: ProviderId;
  readonly users: ResourceOperations;
  readonly groups: ResourceOperations;
  private readonly context: ResourceContext;

  constructor(options: ScimServerOptions) {
    this.provider = parseProviderId(options.provider);
    this.context = {
      directory: options.store.directory,
      provider: this.provider,
      settings: { ...DEFAULT_PROVIDER_SETTINGS, ...options.settings },
      isRegistered: options.isRegistered ?? false,
      baseUrl: options.baseUrl ?? '/scim/v2',
      now: options.now ?? Date.now,
      inTurn: options.inTurn ?? ((read) => read()),
    };
    const { extensions } = this.context.settings;
    this.users = new ResourceOperations(this.context, createResourceSchema('User', extensions), 'User');
    this.groups = new ResourceOperations(this.context, createResourceSchema('Group', extensions), 'Group');
  }

  /** Repeating a create with the same `externalId` answers with the stored user and changes nothing. */
  async createUser(user: unknown, request?: ScimRequest): Promise<JsonObject> {
    return bodyOf(await this.users.create(user, request));
  }

  async getUser(reference: string, selection?: AttributeSelection): Promise<JsonObject> {
    return bodyOf(await this.users.get(reference, selection));
  }

  listUsers(parameters: ListParameters = {}): Promise<JsonObject> {
    return search(this.context, [this.users], parameters);
  }

  async updateUser(reference: string, user: unknown, request?: ScimRequest): Promise<JsonObject> {
    return bodyOf(await this.users.replace(reference, user, request));
  }

  async patchUser(reference: string, patch: unknown, request?: ScimRequest): Promise<JsonObject> {
    return bodyOf(await this.users.patch(reference, patch, request));
  }

  deleteUser(reference: string, request?: ScimRequest): Promise<void> {
    return this.users.delete(reference, request);
  }

  async createGroup(group: unknown, request?: ScimRequest): Promise<JsonObject> {
    return bodyOf(await this.groups.create(group, request));
  }

  async getGroup(reference: string, selection?: AttributeSelection): Promise<JsonObject> {
    return bodyOf(await this.groups.get(reference, selection));
  }

  listGroups(parameters: ListParameters = {}, request?: ScimRequest): Promise<JsonObject> {
    return search(this.context, [this.groups], parameters, request);
  }

  async updateGroup(reference: string, group: unknown, request?: ScimRequest): Promise<JsonObject> {
    return bodyOf(await this.groups.replace(reference, group, request));
  }

  /** Answers with the group; an empty object where the provider's dialect wants no body. */
  async patchGroup(reference: string, patch: unknown, request?: ScimRequest): Promise<JsonObject> {
    return bodyOf(await this.groups.patch(reference, patch, request));
  }

  deleteGroup(reference: string, request?: ScimRequest): Promise<void> {
    return this.groups.delete(reference, request);
  }

  /** A query at the root: over users and groups together (RFC 7644 §3.4.2.1). */
  search(parameters: ListParameters = {}, request?: ScimRequest): Promise<JsonObject> {
    return search(this.context, [this.users, this.groups], parameters, request);
  }

  /** RFC 7644 §3.7. Operations are not one transaction: each has its own status in the answer. */
  bulk(body: unknown, request?: ScimRequest): Promise<JsonObject> {
    return runBulk({ User: this.users, Group: this.groups }, body, this.context, request);
  }

  operations(type: ResourceType): ResourceOperations {
    return type === 'User' ? this.users : this.groups;
  }
}

function bodyOf({ body }: ResourceAnswer): JsonObject {
  return body ?? {};
}
