import { describe, expect, it } from '@jest/globals';
import { Link, LinkedList } from './linked-list.js';

function listOf(...values: string[]) {
  const list = new LinkedList<string>();
  const links = values.map((value) => new Link(value));
  for (const link of links) {
    list.push(link);
  }
  return { list, links };
}

describe(LinkedList.name, () => {
  it.each([
    ['the first', 0, ['b', 'c']],
    ['one in the middle', 1, ['a', 'c']],
    ['the last', 2, ['a', 'b']],
  ])('keeps the order of the others when %s is removed', (_, index, rest) => {
    const { list, links } = listOf('a', 'b', 'c');
    list.remove(links[index] ?? new Link(''));
    expect([[...list.values()], list.first?.value, list.last?.value, list.length]).toEqual([rest, rest[0], rest[1], 2]);
  });

  it('does nothing when a link is removed twice', () => {
    const { list, links } = listOf('a', 'b');
    const [first = new Link('')] = links;
    list.remove(first);
    list.remove(first);
    expect([...list.values()]).toEqual(['b']);
  });

  it('takes a link back that was removed', () => {
    const { list, links } = listOf('a', 'b');
    const [first = new Link('')] = links;
    list.remove(first);
    list.push(first);
    expect([...list.values()]).toEqual(['b', 'a']);
  });

  it('lets the value just given be removed while it is read', () => {
    const { list, links } = listOf('a', 'b', 'c');
    const seen: string[] = [];
    for (const value of list.values()) {
      seen.push(value);
      list.remove(links[seen.length - 1] ?? new Link(''));
    }
    expect([seen, list.length]).toEqual([['a', 'b', 'c'], 0]);
  });
});
