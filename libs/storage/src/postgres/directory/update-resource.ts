import {
  ResourceNotFoundError,
  type ChangeContext,
  type CurrentResource,
  type GroupId,
  type ProviderId,
  type ResourceDraft,
  type ResourceType,
  type Revision,
  type StoredResourceOf,
  type UpdateOptions,
} from '@palisade/domain';
import { CompiledQuery } from 'kysely';
import { resourceChanged, type MembershipCounts } from '../../change-records.js';
import { recordInsert, recordParameter } from '../log/append-records.js';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import { isSameJson } from '../../json.js';
import { changeMembers } from './change-members.js';
import { findRow, lockRow } from './find-resource.js';
import {
  type CurrentRow,
  identityOf,
  type ResourceRow,
  searchColumn,
  toCurrent,
  toResourceOf,
} from './resource-row.js';
import { requireUniqueDisplayName, toUniquenessError } from './uniqueness.js';

/** Without a draft (parameter 4 null) the attributes stay as they are. */
const UPDATE = prepared(`
  with updated as (
    update resources set
      external_id = case when $4::json is null then external_id else $3 end,
      attributes = coalesce($4::json, attributes),
      search = coalesce($5::jsonb, search),
      member_count = member_count + $6,
      version = version + 1,
      modified_at = $7
    where provider_id = $1 and id = $2
    returning version, modified_at, member_count
  ), recorded as (
    ${recordInsert('updated', 8)}
  )
  select version, modified_at, member_count from updated`);

const NO_CHANGE: MembershipCounts = { added: 0, removed: 0 };

/** See `DirectoryStore.update`. */
export async function updateResource<T extends ResourceType>(
  transaction: Connection,
  provider: ProviderId,
  type: T,
  reference: string,
  revise: (current: CurrentResource<T>) => Revision,
  change: ChangeContext,
  options: UpdateOptions = {},
): Promise<StoredResourceOf<T>> {
  const current = await lockRow(transaction, provider, type, reference, 'update');
  if (!current) {
    throw new ResourceNotFoundError(provider, type, reference);
  }
  const revision = revise(toCurrent<T>(current));
  const row = await applyRevision(transaction, current, revision, change, options);
  const isEnough = type === 'User' ? !options.include?.groups : !options.include?.members;
  const complete = isEnough ? row : await findRow(transaction, provider, type, row.id, options.include);
  return toResourceOf<T>(complete ?? row);
}

async function applyRevision(
  transaction: Connection,
  current: CurrentRow,
  revision: Revision,
  change: ChangeContext,
  { uniqueDisplayName, unknownMembers }: UpdateOptions,
): Promise<ResourceRow> {
  const identity = identityOf(current);
  const draft = changedDraft(current, revision.draft);
  if (draft && uniqueDisplayName) {
    await requireUniqueDisplayName(transaction, identity, draft);
  }
  const group = { provider: identity.provider, id: current.id as GroupId };
  const counts = revision.members
    ? await changeMembers(transaction, group, current.member_count, revision.members, unknownMembers)
    : NO_CHANGE;
  if (!draft && counts.added + counts.removed === 0) {
    return current;
  }
  return writeRow(transaction, current, draft, counts, change);
}

async function writeRow(
  transaction: Connection,
  current: CurrentRow,
  draft: ResourceDraft | undefined,
  counts: MembershipCounts,
  change: ChangeContext,
): Promise<ResourceRow> {
  const { provider_id: provider, id } = current;
  const statement = CompiledQuery.raw(UPDATE, [
    provider,
    id,
    draft?.externalId ?? null,
    draft ? JSON.stringify(draft.attributes) : null,
    draft ? searchColumn(provider, draft) : null,
    counts.added - counts.removed,
    change.at,
    recordParameter([resourceChanged(change, 'update', provider, id, counts)]),
  ]);
  try {
    const { rows } =
      await transaction.executeQuery<Pick<ResourceRow, 'version' | 'modified_at' | 'member_count'>>(statement);
    const content = draft && { external_id: draft.externalId ?? null, attributes: draft.attributes };
    return { ...current, ...content, ...rows[0] };
  } catch (error) {
    throw draft ? toUniquenessError(error, identityOf(current), draft) : error;
  }
}

/** The draft, if it differs from what is stored; the order of properties makes no difference. */
function changedDraft(current: CurrentRow, draft: ResourceDraft | undefined): ResourceDraft | undefined {
  if (!draft) {
    return undefined;
  }
  const isSame = (draft.externalId ?? null) === current.external_id && isSameJson(draft.attributes, current.attributes);
  return isSame ? undefined : draft;
}
