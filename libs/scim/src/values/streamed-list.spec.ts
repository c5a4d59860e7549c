import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@palisade/domain';
import { StreamedList, toJsonText } from './streamed-list.js';

const listOf = (...pages: JsonValue[][]): JsonValue =>
  new StreamedList(async function* () {
    yield* pages;
  }).asValue();

async function textOf(body: JsonObject): Promise<string> {
  const json = toJsonText(body);
  let text = '';
  for await (const piece of json) {
    text += piece;
  }
  return text;
}

describe(toJsonText.name, () => {
  it('gives the text of a body that holds no streamed list', () => {
    expect(toJsonText({ a: [1, 'b'] })).toBe('{"a":[1,"b"]}');
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['one of several pages', { a: listOf([1, 2], [{ b: 3 }]), c: 4 }, { a: [1, 2, { b: 3 }], c: 4 }],
    ['an empty one', { a: listOf() }, { a: [] }],
    ['one with empty pages', { a: listOf([], [1], [], [2]) }, { a: [1, 2] }],
    ['several, at any depth', { a: [{ b: listOf([1]) }, { b: listOf([2]) }] }, { a: [{ b: [1] }, { b: [2] }] }],
  ])('puts the elements of a list where it stands: %s', async (_, body, expected) => {
    expect(JSON.parse(await textOf(body))).toEqual(expected);
  });

  it('reads no page before the one before it was taken', async () => {
    const read: number[] = [];
    const list = new StreamedList(async function* () {
      for (const page of [1, 2, 3]) {
        read.push(page);
        yield [page];
      }
    });
    const pieces = toJsonText({ a: list.asValue() });
    for await (const piece of pieces as AsyncIterable<string>) {
      if (piece === '1') {
        break;
      }
    }
    expect(read).toEqual([1]);
  });

  it('ends with the failure of a page', async () => {
    const list = new StreamedList(async function* () {
      yield [1];
      throw new Error('lost');
    });
    await expect(textOf({ a: list.asValue() })).rejects.toThrow('lost');
  });
});
