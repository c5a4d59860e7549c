import type { AdminApp } from './admin-app.js';

const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** Pushes a user whose userName is their external id. */
export async function pushUser(app: AdminApp, token: string, externalId: string): Promise<void> {
  const user = { schemas: [USER_URN], userName: externalId, externalId };
  await app.scim('post', '/Users', token).send(JSON.stringify(user)).expect(201);
}

/** Pushes a group whose display name is its external id. */
export async function pushGroup(
  app: AdminApp,
  token: string,
  externalId: string,
  members: readonly string[] = [],
): Promise<void> {
  const group = {
    schemas: [GROUP_URN],
    displayName: externalId,
    externalId,
    members: members.map((value) => ({ value })),
  };
  await app.scim('post', '/Groups', token).send(JSON.stringify(group)).expect(201);
}
