import type { AttributeDefinition } from '@palisade/domain';
import { defineAttribute } from './define-attribute.js';

/** RFC 7643 §3.1, and unique within the provider beyond what the RFC asks: it is what a repeated create is recognised by. */
export const EXTERNAL_ID: AttributeDefinition = defineAttribute({
  name: 'externalId',
  description: "The client's own identifier for the resource.",
  caseExact: true,
  uniqueness: 'server',
});

/** RFC 7643 §3: required in every request body; answers name the schemas that they use. */
export const SCHEMAS: AttributeDefinition = defineAttribute({
  name: 'schemas',
  description: 'URNs of the schemas that the resource uses.',
  type: 'reference',
  referenceTypes: ['uri'],
  multiValued: true,
  returned: 'always',
});

/** RFC 7643 §3.1: part of every resource, though of no schema. */
export const COMMON_ATTRIBUTES: readonly AttributeDefinition[] = [
  SCHEMAS,
  defineAttribute({
    name: 'id',
    description: 'The identifier that the service gave the resource; it never changes.',
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  EXTERNAL_ID,
  defineAttribute({
    name: 'meta',
    description: 'What the service knows about the resource itself.',
    type: 'complex',
    mutability: 'readOnly',
    subAttributes: [
      defineAttribute({
        name: 'resourceType',
        description: 'Name of the resource type.',
        caseExact: true,
        mutability: 'readOnly',
      }),
      defineAttribute({
        name: 'created',
        description: 'When the resource was created.',
        type: 'dateTime',
        mutability: 'readOnly',
      }),
      defineAttribute({
        name: 'lastModified',
        description: 'When the resource last changed.',
        type: 'dateTime',
        mutability: 'readOnly',
      }),
      defineAttribute({
        name: 'location',
        description: 'URI of the resource.',
        type: 'reference',
        referenceTypes: ['uri'],
        mutability: 'readOnly',
      }),
      defineAttribute({
        name: 'version',
        description: 'The weak entity tag of the resource.',
        caseExact: true,
        mutability: 'readOnly',
      }),
    ],
  }),
];
