import { isIP } from 'node:net';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';

const MAX_LENGTH = 253;
const NAME_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** An address of either family, or a DNS name without its trailing dot: nothing else may get into a load balancer's file. */
export function IsHost(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ minLength: 1, maxLength: MAX_LENGTH }),
    ValidateBy({
      name: 'isHost',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isHost(value),
        defaultMessage: () => '$property: expected a DNS name or an IP address',
      },
    }),
  );
}

function isHost(text: string): boolean {
  return (
    (isIP(text) > 0 && !text.includes('%')) ||
    (text.length <= MAX_LENGTH && text.split('.').every((label) => NAME_LABEL.test(label)))
  );
}
