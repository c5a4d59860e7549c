import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy, buildMessage } from 'class-validator';

/** A text of 1 to `maxLength` characters that every store can keep: no control characters, no lone surrogates. */
export function IsText(maxLength: number): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ minLength: 1, maxLength }),
    ValidateBy({
      name: 'isText',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' &&
          value.length >= 1 &&
          value.length <= maxLength &&
          !/\p{Cc}/u.test(value) &&
          value.isWellFormed(),
        defaultMessage: buildMessage(
          (each) => `${each}$property: expected a text of 1 to ${maxLength} characters without control characters`,
        ),
      },
    }),
  );
}
