import { isDeepStrictEqual } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import {
  ResourceNotFoundError,
  UniquenessError,
  formatResourceId,
  isObject,
  type ChangeContext,
  type CreateOptions,
  type CurrentResource,
  type DirectoryStore,
  type GroupId,
  type Inclusion,
  type JsonObject,
  type MembershipChange,
  type ProviderId,
  type ProviderSettings,
  type ResourceDraft,
  type ResourceId,
  type ResourceType,
  type Revision,
  type StoredResource,
  type UserCreation,
} from '@palisade/domain';
import { badRequest } from '../scim.errors.js';
import { applyPatch } from '../patch/apply-patch.js';
import { parsePatch } from '../patch/parse-patch.js';
import { correctEntraUser } from '../resource/entra-user.js';
import { presentMemberPage, presentResource, resourceLocation } from '../resource/present-resource.js';
import { Projection, type ProjectionRule } from '../resource/projection.js';
import { readResource, withDefaults } from '../resource/read-resource.js';
import { replaceAttributes } from '../resource/replace-attributes.js';
import { createSearchDocument } from '../resource/search-document.js';
import { checkBeforeChanging, checkBeforeReading, formatVersion, matchesVersion } from '../resource/version.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { StreamedList } from '../values/streamed-list.js';
import { SCIM_LIMITS } from './scim-limits.js';
import type { ResourceAnswer, ScimRequest } from './scim-request.js';

/** What operations on resources need to know; one per provider. */
export interface ResourceContext {
  readonly directory: DirectoryStore;
  readonly provider: ProviderId;
  readonly settings: ProviderSettings;
  /** Whether the provider must be registered in the store. */
  readonly isRegistered: boolean;
  /** Where the protocol's root is, without a trailing slash. */
  readonly baseUrl: string;
  readonly now: () => number;
  readonly inTurn: <T>(read: () => Promise<T>) => Promise<T>;
}

/** A create that was checked and can be stored. */
export interface PreparedCreate extends UserCreation {
  /** The size of the attributes as JSON. */
  readonly bytes: number;
  readonly members: CreateOptions['members'];
  readonly projection: Projection;
  readonly include: Inclusion;
  readonly returnMinimal: boolean | undefined;
}

/** What is held of a large group at once: about 100 kB. */
const MEMBERS_AT_A_TIME = 500;

type DraftContent = Pick<ResourceDraft, 'externalId' | 'attributes'>;

/**
 * Create, read, replace, patch and delete of one resource type within one provider (RFC 7644 §3.3 to §3.6). A
 * reference is a full identifier or an external id. Every method rejects with a `ScimError` or a domain error that
 * `toScimError` translates.
 */
export class ResourceOperations {
  constructor(
    private readonly context: ResourceContext,
    readonly schema: ResourceSchema,
    readonly type: ResourceType,
  ) {}

  /** @param localId last part of the identifier if the body has no `externalId`; a UUIDv7 by default */
  async create(body: unknown, request: ScimRequest = {}, localId?: string): Promise<ResourceAnswer> {
    return this.createPrepared(this.prepareCreate(body, request, localId));
  }

  /**
   * Everything of a create except storing.
   *
   * @throws {ScimError} or a domain error when the body is rejected
   */
  prepareCreate(body: unknown, request: ScimRequest = {}, localId: string = uuidv7()): PreparedCreate {
    const selected = Projection.parse(request, this.schema);
    const input = withDefaults(
      readResource(this.corrected(body), this.schema, { requireAll: true, requireSchemas: request.requireSchemas }),
      this.schema,
    );
    const externalId = input.externalId ?? undefined;
    rejectReservedWord(externalId);
    const id = formatResourceId(this.type, this.context.provider, externalId ?? localId);
    const bytes = requireBounded(input.attributes);
    const projection = selected.afterWriting(pathsOf(input.attributes, this.schema));
    const draft = this.draft({ externalId, attributes: input.attributes });
    const include = inclusionOf(projection, request);
    const { returnMinimal } = request;
    return {
      id,
      draft,
      bytes,
      change: this.change(request),
      members: input.members,
      projection,
      include,
      returnMinimal,
    };
  }

  async createPrepared({
    id,
    draft,
    change,
    members,
    projection,
    include,
    returnMinimal,
  }: PreparedCreate): Promise<ResourceAnswer> {
    const { directory, provider, settings, isRegistered: registeredProvider } = this.context;
    const options: CreateOptions = { ...this.storeOptions(), members, registeredProvider };
    const { created, resource } = await directory.create(provider, this.type, id, draft, change, options);
    if (!created && settings.repeatCreate === 'conflict') {
      throw new UniquenessError(this.type, 'externalId', draft.externalId ?? resource.id);
    }
    const hasRelations = !created || members !== undefined || settings.unknownMembers === 'accept';
    const answered = hasRelations ? await this.find(resource.id, include) : resource;
    return { ...this.answer(answered, projection, returnMinimal), created };
  }

  /**
   * Stores many at once, without a body in the answers; undefined for each that was not stored, which `createPrepared` has
   * the answer for. Groups are never stored here: their members and names may take more than one statement.
   */
  async createTogether(creates: readonly PreparedCreate[]): Promise<readonly (ResourceAnswer | undefined)[]> {
    const { directory, provider, isRegistered: registeredProvider } = this.context;
    const users = this.type === 'User' ? await directory.createUsers(provider, creates, { registeredProvider }) : [];
    return creates.map(({ projection }, place) => {
      const user = users[place];
      return user && { ...this.answer(user, projection, true), created: true };
    });
  }

  async get(reference: string, request: ScimRequest = {}): Promise<ResourceAnswer> {
    const projection = Projection.parse(request, this.schema);
    const resource = await this.find(reference, inclusionOf(projection, request));
    checkBeforeReading(request, resource);
    const isUnchanged = request.ifNoneMatch !== undefined && matchesVersion(request.ifNoneMatch, resource);
    return this.answer(resource, projection, isUnchanged);
  }

  /** PUT: what the body omits stays, `null` and `[]` clear (RFC 7644 §3.5.1 allows it). */
  async replace(reference: string, body: unknown, request: ScimRequest = {}): Promise<ResourceAnswer> {
    const input = readResource(this.corrected(body), this.schema, {
      requireAll: false,
      requireSchemas: request.requireSchemas,
    });
    const written = pathsOf(input.attributes, this.schema);
    return this.update(reference, request, request.returnMinimal ?? false, written, (current) => ({
      ...replaceAttributes(current, input, this.schema),
      members: input.members === undefined ? [] : [{ kind: 'replace', ids: input.members }],
    }));
  }

  async patch(reference: string, body: unknown, request: ScimRequest = {}): Promise<ResourceAnswer> {
    const { dialect } = this.context.settings;
    const operations = parsePatch(body, this.schema, dialect, { requireSchemas: request.requireSchemas });
    const isMinimal = request.returnMinimal === true || (this.type === 'Group' && dialect !== 'rfc');
    // RFC 7644 §3.5.2: a client that names attributes "MUST" get 200 with them.
    const hasNoBody = isMinimal && request.attributes === undefined;
    const written = operations.flatMap((operation) =>
      operation.kind === 'members' ? [] : [operation.steps.map(({ name }) => name)],
    );
    return this.update(reference, request, hasNoBody, written, (current) =>
      applyPatch(current, operations, this.schema, dialect),
    );
  }

  async delete(reference: string, request: ScimRequest = {}): Promise<void> {
    const { directory, provider } = this.context;
    await directory.delete(provider, this.type, reference, this.change(request), (current) =>
      checkBeforeChanging(request, current),
    );
  }

  present(resource: StoredResource, projection: Projection): JsonObject {
    const presented = presentResource(resource, this.schema, projection, this.context.baseUrl);
    const rule = projection.rules.get('members');
    const isStreamed = resource.type === 'Group' && resource.members === undefined && resource.memberCount > 0;
    return isStreamed && rule ? { ...presented, members: this.streamMembers(resource.id, rule).asValue() } : presented;
  }

  private streamMembers(group: GroupId, rule: ProjectionRule): StreamedList {
    const { directory, provider, baseUrl, inTurn } = this.context;
    return new StreamedList(async function* () {
      let next: ResourceId | undefined;
      do {
        const page = await inTurn(() => directory.listMembers(provider, group, MEMBERS_AT_A_TIME, next));
        yield presentMemberPage(page.items, rule, baseUrl);
        next = page.next;
      } while (next !== undefined);
    });
  }

  private async update(
    reference: string,
    request: ScimRequest,
    hasNoBody: boolean,
    written: readonly (readonly string[])[],
    decide: (
      current: CurrentResource<ResourceType>,
    ) => DraftContent & { readonly members: readonly MembershipChange[] },
  ): Promise<ResourceAnswer> {
    const { directory, provider } = this.context;
    const projection = Projection.parse(request, this.schema).afterWriting(written);
    const revise = (current: CurrentResource<ResourceType>): Revision => {
      checkBeforeChanging(request, current);
      const { externalId, attributes, members } = decide(current);
      if (externalId === current.externalId && isDeepStrictEqual(attributes, current.attributes)) {
        return { members };
      }
      requireBounded(attributes);
      return { draft: this.draft({ externalId, attributes }), members };
    };
    const options = { ...this.storeOptions(), include: hasNoBody ? {} : inclusionOf(projection, request) };
    const resource = await directory.update(provider, this.type, reference, revise, this.change(request), options);
    return this.answer(resource, projection, hasNoBody);
  }

  private async find(reference: string, include: Inclusion): Promise<StoredResource> {
    const { directory, provider, inTurn } = this.context;
    const resource = await inTurn(() => directory.find(provider, this.type, reference, include));
    if (resource === undefined) {
      throw new ResourceNotFoundError(provider, this.type, reference);
    }
    return resource;
  }

  private answer(resource: StoredResource, projection: Projection, hasNoBody = false): ResourceAnswer {
    return {
      id: resource.id,
      location: resourceLocation(resource.type, resource.id, this.context.baseUrl),
      version: formatVersion(resource),
      created: false,
      body: hasNoBody ? undefined : this.present(resource, projection),
    };
  }

  private draft({ externalId, attributes }: DraftContent): ResourceDraft {
    return { externalId, attributes, search: createSearchDocument(attributes, this.schema) };
  }

  private corrected(body: unknown): unknown {
    const isEntraUser = this.type === 'User' && this.context.settings.dialect === 'entra';
    return isEntraUser ? correctEntraUser(body, this.schema) : body;
  }

  private storeOptions(): CreateOptions {
    const { dialect, unknownMembers } = this.context.settings;
    return { unknownMembers, uniqueDisplayName: this.type === 'Group' && dialect === 'entra' };
  }

  private change(request: ScimRequest): ChangeContext {
    return {
      actor: request.actor ?? 'programmatic',
      requestId: request.requestId,
      at: new Date(this.context.now()),
    };
  }
}

/** What the store has to load for an answer. */
function inclusionOf({ include }: Projection, { streamMembers }: ScimRequest): Inclusion {
  return streamMembers && include.members ? { ...include, members: 'few' } : include;
}

/** The attributes that a body sets, those of extensions one by one. */
function pathsOf(attributes: JsonObject, schema: ResourceSchema): string[][] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    schema.findExtension(name) === undefined || !isObject(value)
      ? [[name]]
      : Object.keys(value).map((inner) => [name, inner]),
  );
}

// RFC 7643 §3.1: "bulkId" is reserved and "MUST NOT be used within any unique identifier value".
function rejectReservedWord(externalId: string | undefined): void {
  if (externalId?.includes('bulkId')) {
    throw badRequest(
      'invalidValue',
      'externalId: expected no "bulkId" in it when creating, the word is reserved in identifiers',
    );
  }
}

// Requests are bounded, but what many of them add up to would be read back at once.
function requireBounded(attributes: JsonObject): number {
  const bytes = Buffer.byteLength(JSON.stringify(attributes));
  if (bytes > SCIM_LIMITS.maxResourceBytes) {
    throw badRequest(
      'invalidValue',
      `expected a resource of at most ${SCIM_LIMITS.maxResourceBytes} bytes, found ${bytes}`,
    );
  }
  return bytes;
}
