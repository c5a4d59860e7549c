/** Authorization systems that take the relationships of Palisade. */
export const ENGINES = ['openfga', 'spicedb'] as const;
export type Engine = (typeof ENGINES)[number];

const GROUP_MEMBERS = { type: 'group', relation: 'member' };
const DIRECT = { this: {} };
const orFrom = (relation: string) => ({ union: { child: [DIRECT, { computedUserset: { relation } }] } });

/** Each relation includes the ones before it, and members of nested groups are members. */
const OPENFGA_MODEL = {
  schema_version: '1.1',
  type_definitions: [
    { type: 'user' },
    {
      type: 'group',
      relations: { member: DIRECT },
      metadata: { relations: { member: { directly_related_user_types: [{ type: 'user' }, GROUP_MEMBERS] } } },
    },
    {
      type: 'namespace',
      relations: { admin: DIRECT, write: orFrom('admin'), read: orFrom('write') },
      metadata: {
        relations: {
          admin: { directly_related_user_types: [GROUP_MEMBERS] },
          write: { directly_related_user_types: [GROUP_MEMBERS] },
          read: { directly_related_user_types: [GROUP_MEMBERS] },
        },
      },
    },
  ],
};

/** Relations and permissions of SpiceDB share their names, so what is asked for is `can_read`, `can_write` and `can_admin`. */
const SPICEDB_SCHEMA = `definition user {}

definition group {
  relation member: user | group#member
}

definition namespace {
  relation read: group#member
  relation write: group#member
  relation admin: group#member

  permission can_admin = admin
  permission can_write = write + can_admin
  permission can_read = read + can_write
}
`;

/** What an engine has to know before it takes tuples. */
export function modelFor(engine: Engine): string {
  switch (engine) {
    case 'openfga':
      return `${JSON.stringify(OPENFGA_MODEL, undefined, 2)}\n`;
    case 'spicedb':
      return SPICEDB_SCHEMA;
    default:
      return engine satisfies never;
  }
}
