import type { ExamplesObject, SchemaObject } from '@nestjs/swagger';
import {
  DEFAULT_PROVIDER_SETTINGS,
  DIALECTS,
  RESOURCE_TYPES,
  type Dialect,
  type ProviderSettings,
  type TrustedIssuer,
} from '@palisade/domain';
import { isJwksUri } from '@palisade/guards';
import {
  AnyList,
  Choice,
  IgnoresFieldsOf,
  List,
  Name,
  Text,
  Time,
  pageOf,
  type FieldOptions,
} from '@palisade/platform';

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

const MAX_EXTENSIONS = 20;
const MAX_TRUSTED_ISSUERS = 20;

const REPEAT_CREATE = ['return', 'conflict'] as const satisfies readonly ProviderSettings['repeatCreate'][];
const UNKNOWN_MEMBERS = ['reject', 'accept'] as const satisfies readonly ProviderSettings['unknownMembers'][];
const ISSUER_ROLES = ['provisioner', 'user'] as const satisfies readonly TrustedIssuer['role'][];

const EXTENSION: SchemaObject = {
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
};

function Id(): PropertyDecorator {
  return Name("1 to 63 of a-z, 0-9 and inner hyphens; the first part of every identifier of the provider's objects.", {
    example: 'acme-entra',
  });
}

function DisplayName(): PropertyDecorator {
  return Text('For people.', { maxLength: 255, optional: true, example: 'Acme, Entra ID' });
}

function DialectOf(options: FieldOptions<Dialect> = {}): PropertyDecorator {
  return Choice('Which behaviour applies where identity providers contradict the RFC.', DIALECTS, {
    example: 'entra',
    ...options,
  });
}

function RepeatCreate(options: FieldOptions<ProviderSettings['repeatCreate']> = {}): PropertyDecorator {
  return Choice('How a repeated create is answered: with the first result, or with 409.', REPEAT_CREATE, {
    example: 'return',
    ...options,
  });
}

function UnknownMembers(options: FieldOptions<ProviderSettings['unknownMembers']> = {}): PropertyDecorator {
  return Choice('Whether groups may name members that have not been pushed yet.', UNKNOWN_MEMBERS, {
    example: 'reject',
    ...options,
  });
}

function Extensions(options: { readonly optional?: boolean } = {}): PropertyDecorator {
  return AnyList('Schemas that the provider adds to users or groups.', EXTENSION, {
    maxItems: MAX_EXTENSIONS,
    ...options,
  });
}

export class TrustedIssuerBody {
  @Text('Exact `iss` of the tokens.', { maxLength: 2048, example: 'https://login.example.com/tenant' })
  readonly issuer!: string;

  @Text('One of the `aud` of the tokens.', { maxLength: 255, example: 'palisade' })
  readonly audience!: string;

  @Text('Exact `sub`; required for a provisioner, because otherwise any token of the issuer could provision.', {
    maxLength: 240,
    optional: ({ role }: TrustedIssuerBody) => role !== 'provisioner',
    example: 'f5b2c1de-provisioning',
  })
  readonly subject?: string;

  @Text('Where the issuer publishes its keys: https, or http on the loopback interface.', {
    format: 'uri',
    isValid: isJwksUri,
    expected: 'an https URL (http only for this host) without credentials or fragment',
    example: 'https://login.example.com/tenant/keys',
  })
  readonly jwks_uri!: string;

  @Choice('`provisioner` may use all of SCIM, `user` only `/Me` and discovery.', ISSUER_ROLES, {
    example: 'provisioner',
  })
  readonly role!: TrustedIssuer['role'];

  @Text("The claim that holds the user's userName; required for the role `user`, and only used there.", {
    maxLength: 100,
    optional: ({ role }: TrustedIssuerBody) => role !== 'user',
    example: 'email',
  })
  readonly user_claim?: string;
}

function TrustedIssuers(options: { readonly optional?: boolean } = {}): PropertyDecorator {
  return List('External issuers whose tokens authenticate the provider, or its users.', TrustedIssuerBody, {
    maxItems: MAX_TRUSTED_ISSUERS,
    ...options,
  });
}

const { dialect, repeatCreate, unknownMembers } = DEFAULT_PROVIDER_SETTINGS;

export class ProviderResponse {
  @Id()
  readonly id!: string;

  @DisplayName()
  readonly display_name?: string;

  @DialectOf()
  readonly dialect!: Dialect;

  @RepeatCreate()
  readonly repeat_create!: string;

  @UnknownMembers()
  readonly unknown_members!: string;

  @Extensions()
  readonly extensions!: readonly object[];

  @TrustedIssuers()
  readonly trusted_issuers!: readonly TrustedIssuerBody[];

  @Time('When the provider was registered.')
  readonly created_at!: string;

  @Time('When its settings last changed.')
  readonly modified_at!: string;
}

/** The settings of a provider; those that are missing have their defaults. */
export class ProviderSettingsBody {
  @DisplayName()
  readonly display_name?: string;

  @DialectOf({ default: dialect })
  readonly dialect: Dialect = dialect;

  @RepeatCreate({ default: repeatCreate })
  readonly repeat_create: ProviderSettings['repeatCreate'] = repeatCreate;

  @UnknownMembers({ default: unknownMembers })
  readonly unknown_members: ProviderSettings['unknownMembers'] = unknownMembers;

  @Extensions({ optional: true })
  readonly extensions: readonly unknown[] = [];

  @TrustedIssuers({ optional: true })
  readonly trusted_issuers: readonly TrustedIssuerBody[] = [];
}

@IgnoresFieldsOf(ProviderResponse)
export class CreateProviderBody extends ProviderSettingsBody {
  @Id()
  readonly id!: string;
}

@IgnoresFieldsOf(ProviderResponse)
export class ReplaceProviderBody extends ProviderSettingsBody {
  @Name('As in the path, if it is there.', { optional: true, example: 'acme-entra' })
  readonly id?: string;
}

export class ProviderPage extends pageOf(ProviderResponse, 'In order of id.') {}
