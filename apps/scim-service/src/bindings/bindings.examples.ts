import type { ExamplesObject } from '@nestjs/swagger';

export const ADD_BINDING_EXAMPLES: ExamplesObject = {
  group: {
    summary: 'A group that exists',
    value: { bound_subject: 'group:scim:default:eng', namespace: 'orders', relation: 'write' },
  },
  pending: {
    summary: 'A group that has not been pushed yet',
    value: { bound_subject: 'group:scim:default:sales', namespace: 'orders', relation: 'read', pending: true },
  },
};
