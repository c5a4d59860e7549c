import type { ApiClient } from '../api/api-client.js';
import { EXIT, type ExitCode, type Session } from '../session.js';
import { UsageError } from '../usage.error.js';
import { inBatches, type Batch } from './batches.js';
import { BulkCreation } from './bulk-creation.js';
import { readBulkLimits } from './bulk-limits.js';
import { ImportReport } from './import-report.js';
import { readState, removeState, statePathOf, writeState, type ImportState } from './import-state.js';
import { findFormat, identify, readInput, type Format } from './input-file.js';
import type { ResourceKind } from './resource-kind.js';

/** A dry run asks no service for its limits. */
const DRY_LIMITS = { maxOperations: 1000, maxBytes: 8 * 2 ** 20 };

export interface ImportOptions {
  readonly format?: Format;
  readonly batchSize: number;
  readonly restart?: boolean;
}

/**
 * Creates what a file holds. Cut short and called again, it goes on after the last batch that was answered; the batch that
 * was not is sent again, which creates nothing twice. Ends with 1 when a record failed.
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
  const { bytes, digest } = await identify(path);
  const target = `${kind.name} ${format} ${bytes} ${digest} ${client.origin}`;
  const report = new ImportReport(session);
  const statePath = statePathOf(path);
  let state = await beginOrResume(statePath, target, options.restart === true);
  if (state.offset > 0) {
    report.resumed(state.records);
  }
  const limits = await readBulkLimits(client, options.batchSize);
  const creation = new BulkCreation(client, kind, session.signal);
  const records = readInput(path, { kind, format, position: state, maxRecordBytes: limits.maxBytes });
  for await (const batch of inBatches(records, limits)) {
    state = advance(state, batch, await createAll(batch, creation, report));
    await writeState(statePath, state);
    report.progress({ ...countsOf(state), offset: state.offset, bytes });
    session.signal.throwIfAborted();
  }
  await removeState(statePath);
  report.done(countsOf(state), false);
  return state.failed === 0 ? EXIT.ok : EXIT.failed;
}

/** Reads all of a file and says what is wrong with it, without asking any service. */
export async function checkResources(
  path: string,
  kind: ResourceKind,
  options: Pick<ImportOptions, 'format'>,
  session: Session,
): Promise<ExitCode> {
  const format = findFormat(path, options.format);
  await identify(path);
  const report = new ImportReport(session);
  let [records, failed] = [0, 0];
  const position = { offset: 0, records: 0 };
  for await (const record of readInput(path, { kind, format, position, maxRecordBytes: DRY_LIMITS.maxBytes })) {
    session.signal.throwIfAborted();
    records++;
    if (record.problem !== undefined) {
      failed++;
      report.failed(record.number, undefined, record.problem);
    }
  }
  report.done({ records, present: records - failed, failed }, true);
  return failed === 0 ? EXIT.ok : EXIT.failed;
}

async function beginOrResume(path: string, target: string, restart: boolean): Promise<ImportState> {
  const found = restart ? undefined : await readState(path);
  if (found !== undefined && found.target !== target) {
    throw new UsageError(`${path} is of another file or another service; begin anew with --restart`);
  }
  return found ?? { version: 1, target, offset: 0, records: 0, present: 0, failed: 0 };
}

/** Sends a batch and tells of what failed; resolves to how many did. */
async function createAll({ records }: Batch, creation: BulkCreation, report: ImportReport): Promise<number> {
  const good = records.flatMap(({ number, resource }) => (resource === undefined ? [] : [{ number, resource }]));
  const outcomes = await creation.create(good.map(({ resource }) => resource));
  let failed = 0;
  for (const { number, problem } of records) {
    if (problem !== undefined) {
      failed++;
      report.failed(number, undefined, problem);
    }
  }
  for (const [index, { number, resource }] of good.entries()) {
    const problem = outcomes[index]?.problem;
    if (problem !== undefined) {
      failed++;
      report.failed(number, resource['externalId'], problem);
    }
  }
  return failed;
}

function advance(state: ImportState, batch: Batch, failed: number): ImportState {
  return {
    ...state,
    offset: batch.endOffset,
    records: batch.endNumber,
    present: state.present + batch.records.length - failed,
    failed: state.failed + failed,
  };
}

function countsOf({ records, present, failed }: ImportState): Pick<ImportState, 'records' | 'present' | 'failed'> {
  return { records, present, failed };
}
