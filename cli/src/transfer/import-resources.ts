import type { ApiClient } from '../command/api-client.js';
import { EXIT, type ExitCode, type CommandContext } from '../command/context.js';
import { inBatches, readBulkLimits } from './batches.js';
import { BulkCreation } from './bulk-creation.js';
import { createInOrder, type CreatedBatch } from './create-in-order.js';
import { findProvider, nameMembers } from './name-members.js';
import { ImportProgress } from './import-progress.js';
import { ImportReport } from './import-report.js';
import { findFormat, readInput, sizeOf, type Format } from './input-file.js';
import { persistently } from '../command/persistently.js';
import { START } from './records.js';
import type { ResourceKind } from './resource-kind.js';

/** A dry run does not ask the service for its limits. */
const DRY_MAX_RECORD_BYTES = 8 * 2 ** 20;

export interface ImportOptions {
  readonly format?: Format;
  readonly batchSize: number;
  /** Maximum number of batches under way. */
  readonly concurrency: number;
  /** Where to keep the progress, instead of next to the file. */
  readonly state?: string;
  readonly restart?: boolean;
  /** Provider of the group members in the file, if it is not the one that they are imported for. */
  readonly fromProvider?: string;
}

/**
 * Creates the resources in a file. After an interruption, the next call resumes behind the last batch up to which all were
 * answered; batches that are sent again create nothing twice. Resolves to 1 when a record failed.
 *
 * @throws {UsageError} when the file is invalid, or is not the one of the interrupted run
 */
export async function importResources(
  path: string,
  kind: ResourceKind,
  options: ImportOptions,
  client: ApiClient,
  context: CommandContext,
): Promise<ExitCode> {
  const format = findFormat(path, options.format);
  const bytes = await sizeOf(path);
  const report = new ImportReport(context, bytes);
  const limits = await readBulkLimits(client, options.batchSize);
  const provider = await findProvider(client);
  const target = `${kind.name} ${format} ${client.origin}`;
  const progress = await ImportProgress.open({ path, statePath: options.state, target, provider }, options.restart);
  report.begin(progress.state);
  try {
    const input = readInput(path, { kind, format, position: progress.state, maxRecordBytes: limits.maxRecordBytes });
    const batches = inBatches(nameMembers(input, provider, options.fromProvider), limits);
    const creation = new BulkCreation(client, kind, context.signal);
    for await (const created of createInOrder(batches, kind, creation, options.concurrency)) {
      const failed = reportFailures(created, report);
      await progress.advance(created.batch, failed, () => persistently(() => findProvider(client), context.signal));
      report.progress(progress.state);
      context.signal.throwIfAborted();
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

/** Reads a whole file and reports what is wrong with it, without contacting a service. */
export async function checkResources(
  path: string,
  kind: ResourceKind,
  options: Pick<ImportOptions, 'format'>,
  context: CommandContext,
): Promise<ExitCode> {
  const format = findFormat(path, options.format);
  const report = new ImportReport(context, await sizeOf(path));
  let [present, failed] = [0, 0];
  for await (const record of readInput(path, { kind, format, position: START, maxRecordBytes: DRY_MAX_RECORD_BYTES })) {
    context.signal.throwIfAborted();
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

/** Reports the records that failed, in the order of the file, and returns their number. */
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
