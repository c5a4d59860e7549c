import type { Batch } from './batches.js';
import type { BulkCreation, CreationOutcome } from './bulk-creation.js';
import type { ResourceKind, Resource } from './resource-kind.js';

/** A batch with the outcome of each of its resources, in order. */
export interface CreatedBatch {
  readonly batch: Batch;
  readonly outcomes: readonly CreationOutcome[];
}

interface UnderWay {
  readonly identities: Identities;
  readonly created: Promise<CreatedBatch>;
}

/**
 * Creates batches, up to `concurrency` at a time, and yields them in their original order. The result is the same as creating
 * them one after the other: a batch that depends on one under way (see {@link dependsOn}) waits for it. When a batch
 * cannot be created, the others under way finish before the error is thrown.
 */
export async function* createInOrder(
  batches: AsyncIterable<Batch>,
  kind: ResourceKind,
  creation: Pick<BulkCreation, 'create'>,
  concurrency: number,
): AsyncGenerator<CreatedBatch> {
  const underWay: UnderWay[] = [];
  try {
    for await (const batch of batches) {
      if (underWay.length === concurrency) {
        yield* takeFirst(underWay);
      }
      const identities = identitiesIn(batch, kind);
      const before = underWay.filter((other) => dependsOn(identities, other.identities));
      const created = create(batch, creation, before);
      // A failure is thrown where the batch is taken; until then it must not count as unhandled.
      created.catch(() => undefined);
      underWay.push({ identities, created });
    }
    while (underWay.length > 0) {
      yield* takeFirst(underWay);
    }
  } finally {
    await Promise.allSettled(underWay.map(({ created }) => created));
  }
}

async function* takeFirst(underWay: UnderWay[]): AsyncGenerator<CreatedBatch> {
  const first = underWay.shift();
  if (first !== undefined) {
    yield await first.created;
  }
}

async function create(
  batch: Batch,
  creation: Pick<BulkCreation, 'create'>,
  before: readonly UnderWay[],
): Promise<CreatedBatch> {
  await Promise.all(before.map(({ created }) => created));
  const resources = batch.records.flatMap(({ resource }) => (resource === undefined ? [] : [resource]));
  return { batch, outcomes: await creation.create(resources) };
}

/** The names and external ids of the resources in a batch, and the groups that they have as members. */
interface Identities {
  readonly names: ReadonlySet<string>;
  readonly references: ReadonlySet<string>;
}

/** What decides whether two batches depend on each other. */
export function identitiesIn({ records }: Batch, { required }: ResourceKind): Identities {
  const names = new Set<string>();
  const references = new Set<string>();
  for (const { resource = {} } of records) {
    if (typeof resource['externalId'] === 'string') {
      names.add(externalIdKey(resource['externalId']));
    }
    const name = resource[required];
    if (typeof name === 'string') {
      // A service may require unique names regardless of case.
      names.add(`${required} ${name.toLowerCase()}`);
    }
    groupsIn(resource).forEach((externalId) => references.add(externalIdKey(externalId)));
  }
  return { names, references };
}

/** Whether the later batch must not be created before the earlier one: they share a name, or one has a member in the other. */
export function dependsOn(later: Identities, earlier: Identities): boolean {
  return (
    !earlier.names.isDisjointFrom(later.names) ||
    !earlier.names.isDisjointFrom(later.references) ||
    !earlier.references.isDisjointFrom(later.names)
  );
}

function groupsIn({ members }: Resource): string[] {
  const values = Array.isArray(members)
    ? members.map((member: { readonly value?: unknown } | null) => member?.value)
    : [];
  return values.flatMap((value) => /^group:scim:[^:]*:(.*)$/s.exec(String(value))?.[1] ?? []);
}

function externalIdKey(externalId: string): string {
  return `externalId ${externalId}`;
}
