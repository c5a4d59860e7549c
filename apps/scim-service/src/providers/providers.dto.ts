import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DIALECTS, type Dialect, type ProviderSettings, type TrustedIssuer } from '@palisade/domain';
import { isJwksUri } from '@palisade/guards';
import { ApiNextCursor, IsText, LABEL, MayBeAbsent } from '@palisade/platform';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsObject,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  buildMessage,
} from 'class-validator';
import { ISSUER_ROLES, PROVIDER_FIELDS, REPEAT_CREATE, UNKNOWN_MEMBERS } from './provider-fields.js';

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
