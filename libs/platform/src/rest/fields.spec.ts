import { describe, expect, it } from '@jest/globals';
import { ValidationPipe, type BadRequestException } from '@nestjs/common';
import { Choice, Decimal, Flag, Integer, List, Name, Nested, Shape, Text, Texts, Time } from './fields.js';
import { z } from 'zod';

class Part {
  @Integer('How many.', { minimum: 1 })
  readonly count!: number;
}

class Body {
  @Text('A text.', { maxLength: 3, optional: true })
  readonly text?: string;

  @Text('A text of a form.', {
    pattern: '^[ab]+$',
    isValid: (text) => text !== 'bad',
    expected: 'a or b',
    optional: true,
  })
  readonly form?: string;

  @Text('Needed by big ones.', { optional: ({ is_big: isBig }: Body) => !isBig })
  readonly reason?: string;

  @Name('A name.', { optional: true })
  readonly name?: string;

  @Choice('A choice.', ['one', 'two'], { default: 'one' })
  readonly choice: string = 'one';

  @Flag('A flag.', { default: false })
  readonly is_big: boolean = false;

  @Integer('A count.', { minimum: 0, maximum: 9, optional: true })
  readonly count?: number;

  @Integer('A count in a query.', { inQuery: true, optional: true })
  readonly limit?: number;

  @Decimal('A share.', { minimum: 0, maximum: 1, optional: true })
  readonly share?: number;

  @Time('A time.', { optional: true })
  readonly at?: string;

  @Nested('A part.', Part, { optional: true })
  readonly part?: Part;

  @List('Parts.', Part, { minItems: 1, maxItems: 2, optional: true })
  readonly parts?: readonly Part[];

  @Shape('A shape.', z.strictObject({ list: z.array(z.int().min(1)).max(2) }), { optional: true })
  readonly shape?: object;

  @Texts('Texts.', { maxLength: 3, minItems: 1, maxItems: 2, optional: true })
  readonly texts?: readonly string[];
}

const pipe = new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true });

async function errorsOf(body: object): Promise<string[]> {
  try {
    await pipe.transform(body, { type: 'body', metatype: Body });
    return [];
  } catch (error) {
    return ((error as BadRequestException).getResponse() as { message: string[] }).message;
  }
}

describe('a field', () => {
  it.each([
    {},
    { text: 'abc', form: 'ab', name: 'acme' },
    { choice: 'two', is_big: true, reason: 'why' },
    { count: 9, limit: '7', share: 0.5, at: '2030-01-01T00:00:00Z' },
    { part: { count: 1 }, parts: [{ count: 1 }], texts: ['a', 'b'] },
    { shape: { list: [1, 2] } },
  ])('accepts %j', async (body) => {
    expect(await errorsOf(body)).toEqual([]);
  });

  it.each([
    [{ text: 'abcd' }, 'text: expected a text of 1 to 3 characters without control characters'],
    [{ text: '' }, 'text: expected a text of 1 to 3 characters without control characters'],
    [{ text: 'a\n' }, 'text: expected a text of 1 to 3 characters without control characters'],
    [{ text: '\ud800' }, 'text: expected a text of 1 to 3 characters without control characters'],
    [{ text: null }, 'text: expected a text of 1 to 3 characters without control characters'],
    [{ form: 'c' }, 'form: expected a or b'],
    [{ form: 'bad' }, 'form: expected a or b'],
    [{ is_big: true }, 'reason: expected a text of at least 1 character without control characters'],
    [{ name: 'a'.repeat(64) }, 'name: expected a text of 1 to 63 characters without control characters'],
    [{ choice: 'three' }, 'choice must be one of the following values: one, two'],
    [{ is_big: 'true', reason: 'why' }, 'is_big must be a boolean value'],
    [{ count: 10 }, 'count must not be greater than 9'],
    [{ count: 1.5 }, 'count must be an integer number'],
    [{ count: '1' }, 'count must be an integer number'],
    [{ share: -1 }, 'share must not be less than 0'],
    [{ at: 'today' }, 'at must be a valid ISO 8601 date string'],
    [{ part: { count: 0 } }, 'part.count must not be less than 1'],
    [{ part: null }, 'part must be an object'],
    [{ parts: [] }, 'parts must contain at least 1 elements'],
    [{ parts: [7] }, 'each value in parts must be an object'],
    [{ parts: [{ count: 0 }] }, 'parts.0.count must not be less than 1'],
    [{ shape: 7 }, 'shape: Invalid input: expected object, received number'],
    [{ shape: { list: [1, 0] } }, 'shape.list.1: Too small: expected number to be >=1'],
    [{ shape: { list: [], colour: 'red' } }, 'shape: Unrecognized key: "colour"'],
    [{ texts: ['a', 'b', 'c'] }, 'texts must contain no more than 2 elements'],
    [{ texts: ['abcd'] }, 'each value in texts: expected a text of 1 to 3 characters without control characters'],
    [{ colour: 'red' }, 'property colour should not exist'],
  ])('rejects %j', async (body, error) => {
    expect(await errorsOf(body)).toContain(error);
  });
});
