import type { SealedRecord } from './log-record.js';
import type { LogPoint, LogStore } from './log-store.js';

const PAGE_SIZE = 1000;

/** The records after one point up to another, read page by page: never more than 1,000 at a time in memory. */
export async function* readLog(
  log: Pick<LogStore, 'list'>,
  after: Pick<LogPoint, 'position'>,
  through: Pick<LogPoint, 'position'>,
): AsyncGenerator<SealedRecord> {
  let { position } = after;
  while (position < through.position) {
    const page = await log.list({
      after: position,
      before: through.position + 1,
      limit: Math.min(PAGE_SIZE, through.position - position),
    });
    const last = page.at(-1);
    if (last === undefined) {
      return;
    }
    yield* page;
    position = last.position;
  }
}
