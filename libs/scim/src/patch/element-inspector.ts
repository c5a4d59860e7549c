import { isObject, type AttributeDefinition, type JsonObject, type JsonValue } from '@palisade/domain';
import { lastStep, type Steps } from '../filter/attribute-scope.js';
import { matches } from '../filter/matches.js';
import { createSearchValue } from '../resource/search-document.js';
import { badRequest } from '../scim.errors.js';
import { ownValue } from '../values/document-values.js';
import type { ElementSelection } from './patch-operation.js';

/**
 * The definition by which the elements of a multi-valued attribute are filtered. RFC 7644 §3.5.2.2: elements of a
 * simple type are selected by a filter "comparing a "value"".
 */
export function filterableElement(attribute: AttributeDefinition): AttributeDefinition {
  return attribute.type === 'complex'
    ? attribute
    : { ...attribute, type: 'complex', subAttributes: [{ ...attribute, name: 'value', multiValued: false }] };
}

/** What a patch may spend on lists: enough for a thousand operations that each select one of a hundred elements. */
const MAX_COST = 400_000;
/** Cost of making what an element is found by, when looking it up costs 1. */
const MAKING_COST = 10;

/**
 * Looks at the elements of multi-valued attributes for one patch. What it makes of an element it remembers, for many
 * operations may look at the same ones; elements are never changed, only exchanged, so it stays right. A patch that
 * costs too much is rejected before the work is done, because nothing else is served meanwhile.
 */
export class ElementInspector {
  private readonly searchForms = new WeakMap<JsonObject, JsonObject>();
  private readonly keys = new WeakMap<JsonObject, string>();
  private cost = 0;

  /** @throws {ScimError} 400 tooMany */
  isSelected({ filter, conditions }: ElementSelection, steps: Steps, element: JsonValue): boolean {
    const form = this.searchForm(steps, element);
    this.charge(conditions - 1);
    return matches(filter, form);
  }

  /**
   * The element as filters compare it.
   *
   * @throws {ScimError} 400 tooMany
   */
  searchForm(steps: Steps, element: JsonValue): JsonObject {
    if (!isObject(element)) {
      this.charge(MAKING_COST);
      return { value: createSearchValue(lastStep(steps), element) };
    }
    const known = this.searchForms.get(element);
    this.charge(known === undefined ? MAKING_COST : 1);
    if (known !== undefined) {
      return known;
    }
    const comparable = createSearchValue(lastStep(steps), element);
    const form = isObject(comparable) ? comparable : {};
    this.searchForms.set(element, form);
    return form;
  }

  /**
   * Equal for elements of one attribute that stand for the same thing.
   *
   * RFC 7643 §2.4: service providers "SHOULD NOT return the same (type, value) combination more than once per
   * attribute". Elements without a value are the same only when they are equal.
   *
   * @throws {ScimError} 400 tooMany
   */
  key(attribute: AttributeDefinition, element: JsonValue): string {
    const known = isObject(element) ? this.keys.get(element) : undefined;
    this.charge(known === undefined ? MAKING_COST : 1);
    if (known !== undefined) {
      return known;
    }
    const key = JSON.stringify(identify(attribute, element));
    if (isObject(element)) {
      this.keys.set(element, key);
    }
    return key;
  }

  /**
   * Accounts for work on elements that is about to be done; copying one or comparing it with another costs 1.
   *
   * @throws {ScimError} 400 tooMany
   */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > MAX_COST) {
      // RFC 7644 table 9: "many more results than the server is willing to calculate or process". ADR-0008.
      throw badRequest('tooMany', 'Operations: expected fewer operations on long lists in one request');
    }
  }
}

function identify({ subAttributes = [] }: AttributeDefinition, element: JsonValue): JsonValue {
  if (!isObject(element)) {
    return element;
  }
  const names = ownValue(element, 'value') === null ? subAttributes.map(({ name }) => name) : ['type', 'value'];
  return names.map((name) => ownValue(element, name));
}
