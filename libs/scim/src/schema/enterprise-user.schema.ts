import type { SchemaDefinition } from '@palisade/domain';
import { ENTERPRISE_USER_URN } from '../urns.js';
import { defineAttribute } from './define-attribute.js';

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
