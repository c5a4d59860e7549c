import type { JsonValue } from '@palisade/domain';
import { lastStep, type Steps } from '../filter/attribute-scope.js';
import { isList } from '../values/document-values.js';
import { addElements, removeElements, toAttributeValue } from './change-list.js';
import type { ElementInspector } from './element-inspector.js';
import type { PatchOp } from './patch-operation.js';

/** An operation on an attribute as a whole; `value` as in {@link AttributeOperation}. */
export interface ValueChange {
  readonly op: PatchOp;
  readonly steps: Steps;
  readonly value: JsonValue | undefined;
}

/** The value of an attribute after an operation; `before` itself when nothing changes. */
export function changeValue(
  { op, steps, value }: ValueChange,
  before: JsonValue | undefined,
  inspector: ElementInspector,
): JsonValue | undefined {
  const attribute = lastStep(steps);
  const current = isList(before) ? before : [];
  switch (op) {
    case 'add':
      return attribute.multiValued && isList(value)
        ? toAttributeValue(attribute, addElements(attribute, current, value, inspector))
        : value;
    case 'remove':
      return isList(value) ? toAttributeValue(attribute, removeElements(steps, current, value, inspector)) : undefined;
    case 'replace':
      return value;
    default:
      return op satisfies never;
  }
}
