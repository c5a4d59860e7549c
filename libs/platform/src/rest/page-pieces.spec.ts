import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { inPieces, isLargePage } from './page-pieces.js';

function page(count: number): { items: { name: string }[] } {
  return { items: Array.from({ length: count }, (_, at) => ({ name: `tenant ${at} é` })) };
}

describe(inPieces.name, () => {
  it.each([
    ['whole pieces', page(200)],
    ['a rest', page(201)],
    ['a cursor', { ...page(101), next_cursor: 'WyJ0Il0' }],
    ['an absent cursor', { ...page(101), next_cursor: undefined }],
  ])('writes the same JSON as at once, with %s', async (_, body) => {
    const file = await inPieces(body);
    const written = await text(file.getStream());
    expect(written).toBe(JSON.stringify(body));
    expect(file.getHeaders()).toMatchObject({
      type: 'application/json; charset=utf-8',
      length: Buffer.byteLength(written),
    });
  });

  it('lets others have their turn while it writes', async () => {
    const order: string[] = [];
    const writing = inPieces(page(1000)).then(() => order.push('written'));
    setImmediate(() => order.push('another'));
    await writing;
    expect(order).toEqual(['another', 'written']);
  });
});

describe(isLargePage.name, () => {
  it.each([
    [true, page(101)],
    [false, page(100)],
    [false, { items: 'many' }],
    [false, undefined],
    [false, null],
  ])('is %s for %#', (isLarge, body) => {
    expect(isLargePage(body)).toBe(isLarge);
  });
});
