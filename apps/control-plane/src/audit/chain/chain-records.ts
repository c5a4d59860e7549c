import type { ActionStore, ChainHead, ChainedActionRecord } from '@palisade/domain';

const PAGE_SIZE = 1000;

/** The records after `after`, up to `through`, read page by page: never more than 1000 at a time in memory. */
export async function* chainRecords(
  actions: ActionStore,
  after: Pick<ChainHead, 'sequence'>,
  through: Pick<ChainHead, 'sequence'>,
): AsyncGenerator<ChainedActionRecord> {
  let { sequence } = after;
  while (sequence < through.sequence) {
    const page = await actions.list({ after: sequence, limit: Math.min(PAGE_SIZE, through.sequence - sequence) });
    const last = page.at(-1);
    if (last === undefined) {
      return;
    }
    yield* page.filter((record) => record.sequence <= through.sequence);
    sequence = last.sequence;
  }
}
