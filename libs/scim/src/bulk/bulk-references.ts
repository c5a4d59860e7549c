import { isObject, type JsonValue } from '@palisade/domain';
import { isList } from '../values/document-values.js';

const PREFIX = 'bulkId:';
/** A string in a filter, such as the one of `members[value eq "bulkId:1"]`. */
const IN_FILTER = /"bulkId:([^"\\]+)"/g;
/** No schema nests deeper; what does is left as it is and rejected by validation. */
const MAX_DEPTH = 8;

/** What the data of an operation is: in a PatchOp message filters refer to bulkIds too, in paths of its operations. */
export type BulkDataKind = 'resource' | 'patch';

/** Where a value stands. Only a `path` is read as a filter; in any other text `"bulkId:1"` is what somebody wrote. */
type Place = BulkDataKind | 'operations' | 'operation' | 'path';

/** The bulkIds that a text or document refers to as `bulkId:<id>` (RFC 7644 §3.7.2). Visits each value once, copies none. */
export function findBulkReferences(value: JsonValue | undefined, kind: BulkDataKind = 'resource'): Set<string> {
  const found = new Set<string>();
  visit(value, kind, MAX_DEPTH, found);
  return found;
}

function visit(value: JsonValue | undefined, place: Place, depth: number, found: Set<string>): void {
  if (typeof value === 'string') {
    replaceInText(value, place, (bulkId) => {
      found.add(bulkId);
      return undefined;
    });
  } else if (isList(value) && depth > 0) {
    for (const item of value) {
      visit(item, placeOfItem(place), depth - 1, found);
    }
  } else if (isObject(value) && depth > 0) {
    for (const [name, inner] of Object.entries(value)) {
      visit(inner, placeOfMember(place, name), depth - 1, found);
    }
  }
}

/** A copy in which every `bulkId:<id>` is what `resolve` gives for it, or stays when that is undefined. */
export function replaceBulkReferences<V extends JsonValue | undefined>(
  value: V,
  resolve: (bulkId: string) => string | undefined,
  kind: BulkDataKind = 'resource',
): V {
  return replace(value, kind, resolve, MAX_DEPTH) as V;
}

function replace(
  value: JsonValue | undefined,
  place: Place,
  resolve: (bulkId: string) => string | undefined,
  depth: number,
): JsonValue | undefined {
  if (typeof value === 'string') {
    return replaceInText(value, place, resolve);
  }
  if (depth === 0) {
    return value;
  }
  if (isList(value)) {
    return value.map((item) => replace(item, placeOfItem(place), resolve, depth - 1) ?? null);
  }
  if (!isObject(value)) {
    return value;
  }
  // fromEntries defines own properties, so a "__proto__" in the request stays data for validation to reject.
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      replace(inner, placeOfMember(place, name), resolve, depth - 1) ?? null,
    ]),
  );
}

function placeOfItem(list: Place): Place {
  return list === 'operations' ? 'operation' : 'resource';
}

/** Members of a PatchOp message count in any case, as they do when it is read. */
function placeOfMember(object: Place, name: string): Place {
  const member = name.toLowerCase();
  if (object === 'patch' && member === 'operations') {
    return 'operations';
  }
  return object === 'operation' && member === 'path' ? 'path' : 'resource';
}

function replaceInText(text: string, place: Place, resolve: (bulkId: string) => string | undefined): string {
  if (place === 'path') {
    return text.replaceAll(IN_FILTER, (whole, bulkId: string) => {
      const id = resolve(bulkId);
      return id === undefined ? whole : JSON.stringify(id);
    });
  }
  return text.startsWith(PREFIX) ? (resolve(text.slice(PREFIX.length)) ?? text) : text;
}
