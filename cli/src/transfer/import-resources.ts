import type { ApiClient } from '../api/api-client.js';
import { EXIT, type ExitCode, type Session } from '../session.js';
import { inBatches } from './batches.js';
import { BulkCreation } from './bulk-creation.js';
import { readBulkLimits } from './bulk-limits.js';
import { createInOrder, type CreatedBatch } from './create-in-order.js';
import { findProvider } from './find-provider.js';
import { ImportProgress } from './import-progress.js';
import { ImportReport } from './import-report.js';
import { findFormat, readInput, sizeOf, type Format } from './input-file.js';
import { nameMembers } from './name-members.js';
import { persistently } from './persistently.js';
import { START } from './records.js';
import type { ResourceKind } from './resource-kind.js';

/** A dry run asks no service for its limits. */
const DRY_MAX_RECORD_BYTES = 8 * 2 ** 20;

export interface ImportOptions {
  readonly format?: Format;
  readonly batchSize: number;
  /** Batches under way at a time. */
  readonly concurrency: number;
  /** Where to keep how far it has come, instead of beside the file. */
  readonly state?: string;
  readonly restart?: boolean;
  /** Whose the members of groups are in the file, when not of the provider that they are imported for. */
  readonly fromProvider?: string;
}

/**
 * Creates what a file holds. Cut short and called again, it goes on after the last batch that was answered and before which
 * all were; what was not is sent again, which creates nothing twice. Ends with 1 when a record failed.
 *
 * @throws {UsageError} when the file is not what it should be, or is not the one of the run before.
 */
export async function importResources(
  path: string,
  kind: ResourceKind,
  options: ImportOptions,
  client: ApiClient,
  session: Session,
): Promise<ExitCode> {
  const format = findFormat(path, options.format);
  const bytes = await sizeOf(path);
  const report = new ImportReport(session, bytes);
  const limits = await readBulkLimits(client, options.batchSize);
  const provider = await findProvider(client);
  const target = `${kind.name} ${format} ${client.origin}`;
  const progress = await ImportProgress.open({ path, statePath: options.state, target, provider }, options.restart);
  report.begin(progress.state);
  try {
    const input = readInput(path, { kind, format, position: progress.state, maxRecordBytes: limits.maxRecordBytes });
    const batches = inBatches(nameMembers(input, provider, options.fromProvider), limits);
    const creation = new BulkCreation(client, kind, session.signal);
    for await (const created of createInOrder(batches, kind, creation, options.concurrency)) {
      const failed = reportFailures(created, report);
      await progress.advance(created.batch, failed, () => persistently(() => findProvider(client), session.signal));
      report.progress(progress.state);
      session.signal.throwIfAborted();
    }
  } catch (error) {
    await progress.stop();
    report.stopped(progress.state);
    throw error;
  }
  await progress.end();
  report.done(progress.state, false);
  return progress.state.failed === 0 ? EXIT.ok : EXIT.failed;
}

/** Reads all of a file and says what is wrong with it, without asking any service. */
export async function checkResources(
  path: string,
  kind: ResourceKind,
  options: Pick<ImportOptions, 'format'>,
  session: Session,
): Promise<ExitCode> {
  const format = findFormat(path, options.format);
  const report = new ImportReport(session, await sizeOf(path));
  let [present, failed] = [0, 0];
  for await (const record of readInput(path, { kind, format, position: START, maxRecordBytes: DRY_MAX_RECORD_BYTES })) {
    session.signal.throwIfAborted();
    if (record.problem === undefined) {
      present++;
    } else {
      failed++;
      report.failed(record, undefined, record.problem);
    }
  }
  report.done({ present, failed }, true);
  return failed === 0 ? EXIT.ok : EXIT.failed;
}

/** Tells of what failed, in the order of the file; says how much that is. */
function reportFailures({ batch, outcomes }: CreatedBatch, report: ImportReport): number {
  let failed = 0;
  const sent = outcomes.values();
  for (const record of batch.records) {
    const problem = record.resource === undefined ? record.problem : sent.next().value?.problem;
    if (problem !== undefined) {
      failed++;
      report.failed(record, record.resource?.['externalId'], problem);
    }
  }
  return failed;
}
