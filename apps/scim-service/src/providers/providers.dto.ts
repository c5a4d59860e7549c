import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions, type ExamplesObject } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  buildMessage,
  IsArray,
  IsIn,
  IsObject,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { type Dialect, DIALECTS, type ProviderSettings, RESOURCE_TYPES, type TrustedIssuer } from '@palisade/domain';
import { isJwksUri } from '@palisade/guards';
import { ApiNextCursor, IsText, LABEL, MayBeAbsent } from '@palisade/platform';

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

const MAX_EXTENSIONS = 20;
const MAX_TRUSTED_ISSUERS = 20;

/** What the API pages say of `trusted_issuers`. */
const TRUSTED_ISSUERS = 'External issuers whose tokens authenticate the provider, or its users.';

export class TrustedIssuerBody {
  @ApiProperty({ description: 'Exact `iss` of the tokens.', example: 'https://login.example.com/tenant' })
  @IsText(2048)
  readonly issuer!: string;

  @ApiProperty({ description: 'One of the `aud` of the tokens.', example: 'palisade' })
  @IsText(255)
  readonly audience!: string;

  @ApiPropertyOptional({
    description: 'Exact `sub`; required for a provisioner, so that not everybody whom the issuer knows may provision.',
    example: 'f5b2c1de-provisioning',
  })
  @ValidateIf(({ role, subject }: TrustedIssuerBody) => role === 'provisioner' || subject !== undefined)
  @IsText(240)
  readonly subject?: string;

  @ApiProperty({
    description: 'Where the issuer publishes its keys: https, or http on the loopback interface.',
    format: 'uri',
    example: 'https://login.example.com/tenant/keys',
  })
  @IsJwksUri()
  readonly jwks_uri!: string;

  @ApiProperty({
    description: '`provisioner` may use all of SCIM, `user` only `/Me` and discovery.',
    enum: ISSUER_ROLES,
    example: 'provisioner',
  })
  @IsIn(ISSUER_ROLES)
  readonly role!: TrustedIssuer['role'];

  @ApiPropertyOptional({
    description: "The claim that holds the user's userName; required for, and only of use to, the role `user`.",
    example: 'email',
  })
  @ValidateIf(({ role, user_claim: claim }: TrustedIssuerBody) => role === 'user' || claim !== undefined)
  @IsText(100)
  readonly user_claim?: string;
}

/** What a provider can be set to; what is absent has its default. */
export class ProviderSettingsBody {
  @ApiPropertyOptional(PROVIDER_FIELDS.display_name)
  @MayBeAbsent()
  @IsText(255)
  readonly display_name?: string;

  @ApiPropertyOptional({ ...PROVIDER_FIELDS.dialect, default: 'rfc' })
  @MayBeAbsent()
  @IsIn(DIALECTS)
  readonly dialect?: Dialect;

  @ApiPropertyOptional({ ...PROVIDER_FIELDS.repeat_create, default: 'return' })
  @MayBeAbsent()
  @IsIn(REPEAT_CREATE)
  readonly repeat_create?: ProviderSettings['repeatCreate'];

  @ApiPropertyOptional({ ...PROVIDER_FIELDS.unknown_members, default: 'reject' })
  @MayBeAbsent()
  @IsIn(UNKNOWN_MEMBERS)
  readonly unknown_members?: ProviderSettings['unknownMembers'];

  @ApiPropertyOptional({ ...PROVIDER_FIELDS.extensions, maxItems: MAX_EXTENSIONS })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(MAX_EXTENSIONS)
  readonly extensions?: readonly unknown[];

  @ApiPropertyOptional({ description: TRUSTED_ISSUERS, type: [TrustedIssuerBody], maxItems: MAX_TRUSTED_ISSUERS })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(MAX_TRUSTED_ISSUERS)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => TrustedIssuerBody)
  readonly trusted_issuers?: readonly TrustedIssuerBody[];
}

export class CreateProviderBody extends ProviderSettingsBody {
  @ApiProperty({ ...PROVIDER_FIELDS.id, ...LABEL })
  @IsText(LABEL.maxLength)
  readonly id!: string;
}

export class ProviderResponse {
  @ApiProperty(PROVIDER_FIELDS.id)
  readonly id!: string;

  @ApiPropertyOptional(PROVIDER_FIELDS.display_name)
  readonly display_name?: string;

  @ApiProperty(PROVIDER_FIELDS.dialect)
  readonly dialect!: Dialect;

  @ApiProperty(PROVIDER_FIELDS.repeat_create)
  readonly repeat_create!: string;

  @ApiProperty(PROVIDER_FIELDS.unknown_members)
  readonly unknown_members!: string;

  @ApiProperty(PROVIDER_FIELDS.extensions)
  readonly extensions!: readonly object[];

  @ApiProperty({ description: TRUSTED_ISSUERS, type: [TrustedIssuerBody] })
  readonly trusted_issuers!: readonly TrustedIssuerBody[];

  @ApiProperty(PROVIDER_FIELDS.created_at)
  readonly created_at!: string;

  @ApiProperty(PROVIDER_FIELDS.modified_at)
  readonly modified_at!: string;
}

export class ProviderPage {
  @ApiProperty({ description: 'In order of id.', type: [ProviderResponse] })
  readonly items!: readonly ProviderResponse[];

  @ApiNextCursor()
  readonly next_cursor?: string;
}

function IsJwksUri(): PropertyDecorator {
  return ValidateBy({
    name: 'isJwksUri',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isJwksUri(value),
      defaultMessage: buildMessage(
        (each) => `${each}$property: expected an https URL (http only for this host) without credentials or fragment`,
      ),
    },
  });
}

const BADGE_EXTENSION = {
  resource_type: 'User',
  required: false,
  schema: {
    id: 'urn:example:params:scim:schemas:acme:2.0:User',
    name: 'AcmeUser',
    attributes: [{ name: 'badge', type: 'string', description: 'Number of the badge.', caseExact: true }],
  },
};

const WORKLOAD_IDENTITY = {
  issuer: 'https://login.example.com/tenant',
  audience: 'palisade',
  subject: 'f5b2c1de-provisioning',
  jwks_uri: 'https://login.example.com/tenant/keys',
  role: 'provisioner',
};

export const CREATE_PROVIDER_EXAMPLES: ExamplesObject = {
  entra: {
    summary: 'Microsoft Entra ID',
    value: { id: 'acme-entra', display_name: 'Acme, Entra ID', dialect: 'entra' },
  },
  okta: {
    summary: 'Okta, which pushes groups before users',
    value: { id: 'acme-okta', dialect: 'okta', unknown_members: 'accept' },
  },
  extended: {
    summary: 'Another attribute of users, and tokens of an external issuer',
    value: { id: 'acme-hr', extensions: [BADGE_EXTENSION], trusted_issuers: [WORKLOAD_IDENTITY] },
  },
};

export const REPLACE_PROVIDER_EXAMPLES: ExamplesObject = {
  conflict: {
    summary: 'Answer repeated creates with 409',
    value: { display_name: 'Acme, Entra ID', dialect: 'entra', repeat_create: 'conflict' },
  },
};
