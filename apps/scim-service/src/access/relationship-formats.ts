import { type GroupId, type NamespaceId, type Relation, type ResourceId, resourceTypeOf } from '@palisade/domain';

/**
 * One Zanzibar-style tuple, `<object>#<relation>@<subject>`: the members of a group have a relation to a namespace, or
 * a user or the members of a group are members of a group.
 */
export type Relationship =
  | { readonly kind: 'binding'; readonly namespace: NamespaceId; readonly relation: Relation; readonly group: GroupId }
  | { readonly kind: 'membership'; readonly group: GroupId; readonly member: ResourceId };

/** A way to write relationships: what stands before, between and after them, and how each is written. */
export interface RelationshipFormat {
  readonly mediaType: string;
  readonly start: string;
  readonly separator: string;
  readonly end: string;
  write(relationship: Relationship): string;
}

interface Tuple {
  readonly object: string;
  readonly relation: string;
  readonly subject: string;
}

export const RELATIONSHIP_FORMATS = {
  /** One JSON object per line, identifiers as everywhere else. */
  ndjson: { mediaType: 'application/x-ndjson', start: '', separator: '\n', end: '\n', write: writeJson },
  /** The same objects as one JSON array. */
  json: { mediaType: 'application/json', start: '[\n', separator: ',\n', end: '\n]\n', write: writeJson },
  /** A JSON array of OpenFGA tuple keys, as `fga tuple write --file` reads it. */
  openfga: { mediaType: 'application/json', start: '[\n', separator: ',\n', end: '\n]\n', write: writeOpenFga },
  /** One relationship per line in SpiceDB's notation. */
  spicedb: { mediaType: 'text/plain', start: '', separator: '\n', end: '\n', write: writeSpiceDb },
} as const satisfies Readonly<Record<string, RelationshipFormat>>;

export type RelationshipFormatName = keyof typeof RELATIONSHIP_FORMATS;

function writeJson(relationship: Relationship): string {
  const { object, relation, subject } = toTuple(relationship, verbatim);
  return JSON.stringify({ tuple: `${object}#${relation}@${subject}`, object, relation, subject });
}

function writeOpenFga(relationship: Relationship): string {
  const { object, relation, subject } = toTuple(relationship, portable);
  return JSON.stringify({ user: subject, relation, object });
}

function writeSpiceDb(relationship: Relationship): string {
  const { object, relation, subject } = toTuple(relationship, portable);
  return `${object}#${relation}@${subject}`;
}

function toTuple(relationship: Relationship, idOf: (id: ResourceId) => string): Tuple {
  if (relationship.kind === 'binding') {
    const { namespace, relation, group } = relationship;
    return { object: `namespace:${namespace}`, relation, subject: `${idOf(group)}#member` };
  }
  const { group, member } = relationship;
  const subject = resourceTypeOf(member) === 'Group' ? `${idOf(member)}#member` : idOf(member);
  return { object: idOf(group), relation: 'member', subject };
}

function verbatim(id: ResourceId): string {
  return id;
}

/**
 * An identifier whose part after the type holds only what both OpenFGA and SpiceDB allow there: `:` becomes `|`, and
 * every byte of UTF-8 that is not a letter, a digit or one of `/ _ - +` becomes `=` and two hexadecimal digits.
 * Different identifiers stay different, and the way back is plain.
 */
function portable(id: ResourceId): string {
  const separator = id.indexOf(':');
  const rest = id
    .slice(separator + 1)
    .replaceAll(/[^\w/+-]/gu, (character) => (character === ':' ? '|' : escape(character)));
  return `${id.slice(0, separator)}:${rest}`;
}

function escape(character: string): string {
  const bytes = Buffer.from(character, 'utf8');
  return [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
