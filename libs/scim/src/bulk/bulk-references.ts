import type { JsonObject, JsonValue } from '@palisade/domain';

const PREFIX = 'bulkId:';
/** No schema nests deeper; what does is left as it is and refused by validation. */
const MAX_DEPTH = 8;

/** The bulkIds that a text or document refers to as `bulkId:<id>` (RFC 7644 §3.7.2). */
export function findBulkReferences(value: JsonValue | undefined): Set<string> {
  const found = new Set<string>();
  replaceBulkReferences(value, (bulkId) => {
    found.add(bulkId);
    return undefined;
  });
  return found;
}

/** A copy in which every `bulkId:<id>` is what `resolve` gives for it, or stays when that is undefined. */
export function replaceBulkReferences<V extends JsonValue | undefined>(
  value: V,
  resolve: (bulkId: string) => string | undefined,
): V {
  return replace(value, resolve, MAX_DEPTH) as V;
}

function replace(
  value: JsonValue | undefined,
  resolve: (bulkId: string) => string | undefined,
  depth: number,
): JsonValue | undefined {
  if (typeof value === 'string') {
    return replaceInText(value, resolve);
  }
  if (typeof value !== 'object' || value === null || depth === 0) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item: JsonValue) => replace(item, resolve, depth - 1) ?? null);
  }
  // fromEntries defines own properties, so a "__proto__" in the request stays data for validation to refuse.
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, item]) => [name, replace(item, resolve, depth - 1) ?? null]),
  );
}

/** The whole text, or the value inside a filter path such as `members[value eq "bulkId:1"]`. */
function replaceInText(text: string, resolve: (bulkId: string) => string | undefined): string {
  if (text.startsWith(PREFIX)) {
    return resolve(text.slice(PREFIX.length)) ?? text;
  }
  return text.replaceAll(/"bulkId:([^"\\]+)"/g, (whole, bulkId: string) => {
    const id = resolve(bulkId);
    return id === undefined ? whole : JSON.stringify(id);
  });
}
