import type { ContentObject, SchemaObject } from '@nestjs/swagger';
import { formatResourceId, parseNamespaceId, parseProviderId } from '@palisade/domain';
import { type Relationship, RELATIONSHIP_FORMATS, type RelationshipFormat } from './relationship-formats.js';

const PROVIDER = parseProviderId('default');
const GROUP = formatResourceId('Group', PROVIDER, 'eng');

const RELATIONSHIPS: readonly Relationship[] = [
  { kind: 'binding', namespace: parseNamespaceId('orders'), relation: 'write', group: GROUP },
  { kind: 'membership', group: GROUP, member: formatResourceId('Group', PROVIDER, 'backend') },
  { kind: 'membership', group: GROUP, member: formatResourceId('User', PROVIDER, 'ada') },
];

const OBJECT = text('What the relation is to.', 'namespace:orders');
const RELATION = text('`member` of a group, or what a binding gives.', 'write');
const SUBJECT = text('Who has the relation: a user, or the members of a group.', 'group:scim:default:eng#member');

const JSON_SCHEMA: SchemaObject = {
  anyOf: [
    {
      title: 'json',
      type: 'array',
      items: {
        type: 'object',
        properties: {
          tuple: text('The whole, as Zanzibar writes it.', 'namespace:orders#write@group:scim:default:eng#member'),
          object: OBJECT,
          relation: RELATION,
          subject: SUBJECT,
        },
        required: ['tuple', 'object', 'relation', 'subject'],
      },
    },
    {
      title: 'openfga',
      type: 'array',
      items: {
        type: 'object',
        properties: { user: SUBJECT, relation: RELATION, object: OBJECT },
        required: ['user', 'relation', 'object'],
      },
    },
  ],
};

const { ndjson, json, openfga, spicedb } = RELATIONSHIP_FORMATS;

/** The answer of the export by media type. */
export const RELATIONSHIPS_CONTENT: ContentObject = {
  [ndjson.mediaType]: {
    schema: { type: 'string', description: 'One JSON object per line, as in the list of format `json`.' },
    example: write(ndjson),
  },
  [json.mediaType]: {
    schema: JSON_SCHEMA,
    examples: {
      json: { summary: 'format=json', value: JSON.parse(write(json)) },
      openfga: { summary: 'format=openfga', value: JSON.parse(write(openfga)) },
    },
  },
  [spicedb.mediaType]: {
    schema: { type: 'string', description: 'Format `spicedb`: one relationship per line.' },
    example: write(spicedb),
  },
};

function write(format: RelationshipFormat): string {
  return format.start + RELATIONSHIPS.map((each) => format.write(each)).join(format.separator) + format.end;
}

function text(description: string, example: string): SchemaObject {
  return { type: 'string', description, examples: [example] };
}
