import { ScimServer, validateExtension } from '@palisade/scim';
import { MemoryStore } from '@palisade/storage';

const BADGE = validateExtension(
  {
    resourceType: 'User',
    schema: {
      id: 'urn:example:params:scim:schemas:badge:2.0:User',
      name: 'Badge',
      attributes: [
        { name: 'number', type: 'string', required: true },
        { name: 'doors', type: 'string', multiValued: true, canonicalValues: ['front', 'laboratory'] },
      ],
    },
  },
  'badge',
);

/** A directory whose users may have a badge. */
export function createDirectory(): ScimServer {
  return new ScimServer({ store: new MemoryStore(), provider: 'okta', settings: { extensions: [BADGE] } });
}
