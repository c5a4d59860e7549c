import { fromRecordJson, parseJsonObject, type RecordJson, type SealedRecord, toRecordJson } from '@palisade/domain';

/**
 * Reads a line as {@link formatRecord} writes it, byte for byte; undefined when it is anything else. Whether the record's
 * hash is right is another question.
 */
export function parseRecord(line: string): SealedRecord | undefined {
  const json = parseJsonObject(line);
  if (json === undefined || !isRecordJson(json)) {
    return undefined;
  }
  const record = fromRecordJson(json);
  return formatRecord(record) === line ? record : undefined;
}

export function formatRecord(record: SealedRecord): string {
  return JSON.stringify(toRecordJson(record));
}

/** Whether what is needed to compute its hash is there. */
function isRecordJson(json: object): json is RecordJson {
  const { position, timestamp, scope, previous_hash, hash, seal, detail } = json as Partial<RecordJson>;
  return (
    Number.isSafeInteger(position) &&
    typeof timestamp === 'string' &&
    !Number.isNaN(Date.parse(timestamp)) &&
    [scope, previous_hash, hash, seal].every((text) => typeof text === 'string') &&
    (detail === undefined || (typeof detail === 'object' && detail !== null))
  );
}
