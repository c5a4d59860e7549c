import type { SchemaDefinition } from '@palisade/domain';
import { ENTERPRISE_USER_URN, USER_URN } from '../urns.js';
import { defineAttribute, multiValuedAttribute } from './define-attribute.js';

/**
 * RFC 7643 §4.1 and §8.7.1. Where the two differ: references and certificates are case exact (§2.3.6, §2.3.7), `ims` has
 * the type "other" (§4.1.2), and an address has the default sub-attributes of §2.4, as the example of §8.2 does. The
 * identifier of a group is case exact, because `id` is (§3.1).
 */
export const USER_SCHEMA: SchemaDefinition = {
  id: USER_URN,
  name: 'User',
  description: 'An account of a person or a service.',
  attributes: [
    defineAttribute({
      name: 'userName',
      description: 'The name that the user signs in with; no two users of a provider share one, whatever its case.',
      required: true,
      uniqueness: 'server',
    }),
    defineAttribute({
      name: 'name',
      description: "The parts of the user's name.",
      type: 'complex',
      subAttributes: [
        defineAttribute({ name: 'formatted', description: 'The whole name, as it is displayed.' }),
        defineAttribute({ name: 'familyName', description: 'Family name, or last name.' }),
        defineAttribute({ name: 'givenName', description: 'Given name, or first name.' }),
        defineAttribute({ name: 'middleName', description: 'Middle name or names.' }),
        defineAttribute({ name: 'honorificPrefix', description: 'Title before the name, such as "Dr.".' }),
        defineAttribute({ name: 'honorificSuffix', description: 'Addition after the name, such as "III".' }),
      ],
    }),
    defineAttribute({ name: 'displayName', description: 'The name by which the user is shown to others.' }),
    defineAttribute({ name: 'nickName', description: 'What the user is called casually.' }),
    defineAttribute({
      name: 'profileUrl',
      description: "Location of the user's profile page.",
      type: 'reference',
      referenceTypes: ['external'],
    }),
    defineAttribute({ name: 'title', description: 'Job title.' }),
    defineAttribute({ name: 'userType', description: 'Relation to the organization, such as "Employee".' }),
    defineAttribute({
      name: 'preferredLanguage',
      description: 'Languages that the user prefers, in the form of the Accept-Language header.',
    }),
    defineAttribute({ name: 'locale', description: 'Language tag that decides formats of dates, numbers and money.' }),
    defineAttribute({ name: 'timezone', description: 'Time zone by its IANA name, such as "Europe/Vienna".' }),
    defineAttribute({
      name: 'active',
      description:
        'Whether the account is enabled; an inactive user has access to nothing. True for a new user unless given.',
      type: 'boolean',
    }),
    defineAttribute({
      name: 'password',
      description: 'Accepted for compatibility and discarded: this service authenticates no users.',
      mutability: 'writeOnly',
      returned: 'never',
    }),
    multiValuedAttribute({
      name: 'emails',
      description: 'Email addresses.',
      values: [defineAttribute({ name: 'value', description: 'Email address.' })],
      types: ['work', 'home', 'other'],
    }),
    multiValuedAttribute({
      name: 'phoneNumbers',
      description: 'Telephone numbers.',
      values: [
        defineAttribute({ name: 'value', description: 'Telephone number, best as a tel: URI as RFC 3966 writes it.' }),
      ],
      types: ['work', 'home', 'mobile', 'fax', 'pager', 'other'],
    }),
    multiValuedAttribute({
      name: 'ims',
      description: 'Instant messaging addresses.',
      values: [defineAttribute({ name: 'value', description: 'Instant messaging address.' })],
      types: ['aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo', 'other'],
    }),
    multiValuedAttribute({
      name: 'photos',
      description: 'Pictures of the user.',
      values: [
        defineAttribute({
          name: 'value',
          description: 'Location of an image file.',
          type: 'reference',
          referenceTypes: ['external'],
        }),
      ],
      types: ['photo', 'thumbnail'],
    }),
    multiValuedAttribute({
      name: 'addresses',
      description: 'Postal addresses.',
      values: [
        defineAttribute({
          name: 'formatted',
          description: 'The whole address, as on a label; may have several lines.',
        }),
        defineAttribute({
          name: 'streetAddress',
          description: 'Street, house number or post box; may have several lines.',
        }),
        defineAttribute({ name: 'locality', description: 'City or town.' }),
        defineAttribute({ name: 'region', description: 'State, province or region.' }),
        defineAttribute({ name: 'postalCode', description: 'Postal code.' }),
        defineAttribute({ name: 'country', description: 'Country, as an ISO 3166-1 alpha-2 code.' }),
      ],
      types: ['work', 'home', 'other'],
    }),
    defineAttribute({
      name: 'groups',
      description: 'Groups that the user is in, derived from the members of groups; change it there.',
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        defineAttribute({ name: 'value', description: 'Id of the group.', caseExact: true, mutability: 'readOnly' }),
        defineAttribute({
          name: '$ref',
          description: 'Location of the group.',
          type: 'reference',
          referenceTypes: ['Group'],
          mutability: 'readOnly',
        }),
        defineAttribute({ name: 'display', description: 'Display name of the group.', mutability: 'readOnly' }),
        defineAttribute({
          name: 'type',
          description: 'Whether the user is a member of the group itself, or only of a group nested in it.',
          canonicalValues: ['direct', 'indirect'],
          mutability: 'readOnly',
        }),
      ],
    }),
    multiValuedAttribute({
      name: 'entitlements',
      description: 'Things that the user is entitled to.',
      values: [defineAttribute({ name: 'value', description: 'Entitlement.' })],
    }),
    multiValuedAttribute({
      name: 'roles',
      description: 'Roles that the user has, such as "Student".',
      values: [defineAttribute({ name: 'value', description: 'Role.' })],
    }),
    multiValuedAttribute({
      name: 'x509Certificates',
      description: 'Certificates issued to the user.',
      values: [
        defineAttribute({ name: 'value', description: 'One X.509 certificate, DER in base64.', type: 'binary' }),
      ],
    }),
  ],
};

/** RFC 7643 §4.3 and §8.7.1. The manager's id is case exact, because `id` is (§3.1). */
export const ENTERPRISE_USER_SCHEMA: SchemaDefinition = {
  id: ENTERPRISE_USER_URN,
  name: 'EnterpriseUser',
  description: 'What an enterprise records about a user.',
  attributes: [
    defineAttribute({ name: 'employeeNumber', description: 'Identifier that the organization gave the person.' }),
    defineAttribute({ name: 'costCenter', description: 'Name of the cost center.' }),
    defineAttribute({ name: 'organization', description: 'Name of the organization.' }),
    defineAttribute({ name: 'division', description: 'Name of the division.' }),
    defineAttribute({ name: 'department', description: 'Name of the department.' }),
    defineAttribute({
      name: 'manager',
      description: "The user's manager.",
      type: 'complex',
      subAttributes: [
        defineAttribute({ name: 'value', description: 'Id of the user who is the manager.', caseExact: true }),
        defineAttribute({
          name: '$ref',
          description: 'Location of the user who is the manager.',
          type: 'reference',
          referenceTypes: ['User'],
        }),
        defineAttribute({ name: 'displayName', description: 'Display name of the manager.', mutability: 'readOnly' }),
      ],
    }),
  ],
};
