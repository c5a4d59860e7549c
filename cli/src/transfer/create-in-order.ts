import type { Batch } from './batches.js';
import type { BulkCreation, CreationOutcome } from './bulk-creation.js';
import { footprintOf, isEntangled, type Footprint } from './footprint.js';
import type { ResourceKind } from './resource-kind.js';

/** A batch with what came of each of its resources, in order. */
export interface CreatedBatch {
  readonly batch: Batch;
  readonly outcomes: readonly CreationOutcome[];
}

interface UnderWay {
  readonly footprint: Footprint;
  readonly created: Promise<CreatedBatch>;
}

/**
 * Creates batches, up to `concurrency` at a time, and gives them in the order in which they came. What comes of them is the
 * same as one after the other: a batch that has a name in common with one under way, or has a group of it as a member
 * or is one of its members, waits for that. When one cannot be created, the others under way end before the error is thrown.
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
      const footprint = footprintOf(batch, kind);
      const before = underWay.filter((other) => isEntangled(other.footprint, footprint));
      const created = create(batch, creation, before);
      // Whoever takes it is told; until then nobody waits.
      created.catch(() => undefined);
      underWay.push({ footprint, created });
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
