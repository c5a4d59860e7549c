import type { Filter } from '@palisade/domain';

/**
 * A filter that holds for the same resources, without operands of `and` and `or` that equal an earlier one of the same
 * list. Time is linear in the filter's size; recursion is bounded by the depth that the parser allows.
 */
export function dropRepeatedConditions(filter: Filter): Filter {
  return new Numbering().reduce(filter).filter;
}

interface Numbered {
  readonly filter: Filter;
  /** Equal for equal filters. */
  readonly number: number;
}

/** Gives equal filters equal numbers, so that a filter is known by those of its parts. */
class Numbering {
  private readonly numbers = new Map<string, number>();

  reduce(filter: Filter): Numbered {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return this.reduceOperands(filter.kind, filter.operands);
      case 'not': {
        const { filter: operand, number } = this.reduce(filter.operand);
        return this.number({ kind: 'not', operand }, [number]);
      }
      case 'element': {
        const { filter: inner, number } = this.reduce(filter.filter);
        return this.number({ ...filter, filter: inner }, [filter.attribute.path, number]);
      }
      case 'compare':
        return this.number(filter, [filter.attribute.path, filter.operator, filter.value]);
      case 'present':
        return this.number(filter, [filter.attribute.path]);
      default:
        return filter satisfies never;
    }
  }

  private reduceOperands(kind: 'and' | 'or', operands: readonly Filter[]): Numbered {
    const distinct = new Map<number, Numbered>();
    for (const operand of operands) {
      const reduced = this.reduce(operand);
      distinct.set(reduced.number, distinct.get(reduced.number) ?? reduced);
    }
    const [first, ...others] = distinct.values();
    return first !== undefined && others.length === 0 && operands.length > 1
      ? first
      : this.number({ kind, operands: [...distinct.values()].map(({ filter }) => filter) }, [...distinct.keys()]);
  }

  private number(filter: Filter, parts: readonly unknown[]): Numbered {
    const key = JSON.stringify([filter.kind, ...parts]);
    const number = this.numbers.get(key) ?? this.numbers.size;
    this.numbers.set(key, number);
    return { filter, number };
  }
}
