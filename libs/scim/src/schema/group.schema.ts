import type { SchemaDefinition } from '@palisade/domain';
import { GROUP_URN } from '../urns.js';
import { defineAttribute } from './define-attribute.js';

/**
 * RFC 7643 §4.2 and §8.7.1. `displayName` is required, as §4.2 says; a member's id is case exact, because `id` is
 * (§3.1); its `display` is derived from the member itself.
 */
export const GROUP_SCHEMA: SchemaDefinition = {
  id: GROUP_URN,
  name: 'Group',
  description: 'A group of users and of other groups.',
  attributes: [
    defineAttribute({ name: 'displayName', description: 'The name by which the group is shown.', required: true }),
    defineAttribute({
      name: 'members',
      description: 'Users and groups that belong to the group.',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        defineAttribute({ name: 'value', description: 'Id of the member.', caseExact: true, mutability: 'immutable' }),
        defineAttribute({
          name: '$ref',
          description: 'Location of the member.',
          type: 'reference',
          referenceTypes: ['User', 'Group'],
          mutability: 'immutable',
        }),
        defineAttribute({
          name: 'type',
          description: 'Resource type of the member.',
          canonicalValues: ['User', 'Group'],
          mutability: 'immutable',
        }),
        defineAttribute({ name: 'display', description: 'Display name of the member.', mutability: 'readOnly' }),
      ],
    }),
  ],
};
