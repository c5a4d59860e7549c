const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export type ResourceName = 'users' | 'groups';
export type Resource = Readonly<Record<string, unknown>>;

/** The endpoint of a kind of resources, and which of their attributes CSV has. */
export interface ResourceKind {
  readonly name: ResourceName;
  readonly endpoint: string;
  readonly schema: string;
  /** Attribute that each resource must have besides externalId. */
  readonly required: string;
  /** Resources in one page of an export. */
  readonly pageSize: number;
  /** CSV columns with their paths in the resource; `emails` and `members` are lists of values separated by `;`. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

export const RESOURCE_KINDS: Readonly<Record<ResourceName, ResourceKind>> = {
  users: {
    name: 'users',
    endpoint: '/Users',
    schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
    required: 'userName',
    pageSize: 500,
    columns: {
      externalId: ['externalId'],
      userName: ['userName'],
      displayName: ['displayName'],
      givenName: ['name', 'givenName'],
      familyName: ['name', 'familyName'],
      title: ['title'],
      userType: ['userType'],
      preferredLanguage: ['preferredLanguage'],
      locale: ['locale'],
      timezone: ['timezone'],
      active: ['active'],
      emails: ['emails'],
      employeeNumber: [ENTERPRISE, 'employeeNumber'],
      costCenter: [ENTERPRISE, 'costCenter'],
      organization: [ENTERPRISE, 'organization'],
      division: [ENTERPRISE, 'division'],
      department: [ENTERPRISE, 'department'],
    },
  },
  groups: {
    name: 'groups',
    endpoint: '/Groups',
    schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
    required: 'displayName',
    // A group may have very many members.
    pageSize: 10,
    columns: { externalId: ['externalId'], displayName: ['displayName'], members: ['members'] },
  },
};
