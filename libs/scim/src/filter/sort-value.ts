import type { AttributeReference, JsonObject, JsonValue } from '@palisade/domain';
import { isList, isScalar, ownValue, type Scalar } from '../values/document-values.js';

/**
 * The value by which a resource sorts; null when it has none.
 *
 * RFC 7644 §3.4.2.3: a multi-valued attribute sorts "by the value of the primary attribute, if any, or else the first
 * value in the list, if any". An element without the sub-attribute has no value, primary or not.
 */
export function sortValue(document: JsonObject, reference: AttributeReference): Scalar | null {
  let candidates: readonly JsonValue[] = [document];
  for (const name of reference.path) {
    candidates = candidates.flatMap((candidate) => primaryFirst(ownValue(candidate, name)));
  }
  return candidates.find((value) => isScalar(value)) ?? null;
}

function primaryFirst(value: JsonValue): readonly JsonValue[] {
  if (!isList(value)) {
    return [value];
  }
  const primary = value.find((element) => ownValue(element, 'primary') === true);
  return primary === undefined ? value : [primary, ...value];
}
