import { ValidationPipe } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Integer, Text } from './fields.js';
import { IgnoresFieldsOf } from './ignored-fields.js';

class Answer {
  @Text('Settable.', { maxLength: 5 })
  readonly name!: string;

  @Integer('Not settable.')
  readonly version!: number;
}

@IgnoresFieldsOf(Answer)
class Body {
  @Text('Settable.', { maxLength: 5 })
  readonly name!: string;
}

class Larger extends Body {
  @Text('Settable.')
  readonly id!: string;
}

const pipe = new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true });
const check = (metatype: typeof Body, body: object): Promise<unknown> =>
  pipe.transform(body, { type: 'body', metatype }) as Promise<unknown>;

describe(IgnoresFieldsOf.name, () => {
  it('lets a body have what only its answer has, whatever it is', async () => {
    await expect(check(Body, { name: 'a', version: 'x' })).resolves.toMatchObject({ name: 'a' });
    await expect(check(Larger, { id: 'a', name: 'a', version: 1 })).resolves.toMatchObject({ id: 'a' });
  });

  it.each([[{ name: 'a', colour: 'red' }], [{ name: 'too long', version: 1 }], [{ version: 1 }]])(
    'still rejects %j',
    async (body) => {
      await expect(check(Body, body)).rejects.toThrow();
    },
  );
});
