import { openSink } from './open-sink.js';
import { SinkUnavailableError } from './sink-unavailable.error.js';
import { verifyExport, type ExportVerdict } from './verify-export.js';

/** What the command wrote, and how the process ends: 0 when the export is whole, 1 when not, 2 when it cannot be read. */
export interface VerifyExportResult {
  readonly output: string;
  /** For standard error. */
  readonly messages: readonly string[];
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Whether what was exported to an `audit_backend` is whole.
 *
 * @param location `file:///<absolute path>` or `s3://<bucket>/<prefix>`
 */
export async function runVerifyExport(location: string): Promise<VerifyExportResult> {
  const url = URL.parse(location);
  if (url === null || (url.protocol !== 'file:' && url.protocol !== 's3:')) {
    return failed(`expected file:///<absolute path> or s3://<bucket>/<prefix>, found ${JSON.stringify(location)}`);
  }
  try {
    const sink = await openSink(url);
    const verdict = await verifyExport(sink).finally(() => sink.close());
    return { output: `${describeVerdict(verdict)}\n`, messages: [], exitCode: verdict.isValid ? 0 : 1 };
  } catch (error) {
    if (error instanceof SinkUnavailableError) {
      const { cause } = error;
      return failed(`${error.message}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
    throw error;
  }
}

function describeVerdict(verdict: ExportVerdict): string {
  if (!verdict.isValid) {
    return `BROKEN at sequence ${verdict.brokenAt} in ${verdict.segment} (${verdict.reason})`;
  }
  const { segments, records, first, last, hash } = verdict;
  return records === 0
    ? 'whole: nothing is exported'
    : `whole: ${records} records in ${segments} segments, sequence ${first} to ${last}, the last with hash ${hash}`;
}

function failed(message: string): VerifyExportResult {
  return { output: '', messages: [message], exitCode: 2 };
}
