import type { ApiPropertyOptions } from '@nestjs/swagger';
import { DIALECTS, RESOURCE_TYPES, type ProviderSettings, type TrustedIssuer } from '@palisade/domain';

export const REPEAT_CREATE = ['return', 'conflict'] as const satisfies readonly ProviderSettings['repeatCreate'][];
export const UNKNOWN_MEMBERS = ['reject', 'accept'] as const satisfies readonly ProviderSettings['unknownMembers'][];
export const ISSUER_ROLES = ['provisioner', 'user'] as const satisfies readonly TrustedIssuer['role'][];

/** The fields of a provider as the API pages describe them, in bodies and in answers alike. */
export const PROVIDER_FIELDS = {
  id: {
    description: "1 to 63 of a-z, 0-9 and inner hyphens; the first part of every identifier of the provider's objects.",
    example: 'acme-entra',
  },
  display_name: { description: 'For people.', example: 'Acme, Entra ID' },
  dialect: {
    description: 'Whose word counts where identity providers and the RFC contradict each other.',
    enum: DIALECTS,
    example: 'entra',
  },
  repeat_create: {
    description: 'How a repeated create is answered: with the first result, or with 409.',
    enum: REPEAT_CREATE,
    example: 'return',
  },
  unknown_members: {
    description: 'Whether groups may name members that have not been pushed yet.',
    enum: UNKNOWN_MEMBERS,
    example: 'reject',
  },
  extensions: {
    description: 'Schemas that the provider adds to users or groups.',
    type: 'array',
    items: {
      type: 'object',
      properties: {
        resource_type: { type: 'string', enum: [...RESOURCE_TYPES], description: 'What the schema adds to.' },
        required: { type: 'boolean', default: false, description: 'Whether each such resource must use it.' },
        schema: {
          type: 'object',
          description: 'As RFC 7643 §7 writes one: `id` (a URN), `name`, `description` and `attributes`.',
        },
      },
      required: ['resource_type', 'schema'],
    },
  },
  created_at: {
    description: 'When the provider was registered.',
    format: 'date-time',
    example: '2026-11-20T08:30:00.000Z',
  },
  modified_at: {
    description: 'When its settings last changed.',
    format: 'date-time',
    example: '2026-11-20T08:30:00.000Z',
  },
} as const satisfies Readonly<Record<string, ApiPropertyOptions>>;
