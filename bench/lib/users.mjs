const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';

/**
 * The user that every competitor is given: what an identity provider typically pushes, within what all of them accept.
 *
 * @param {string} key makes it unique
 */
export function createUser(key) {
  const email = emailOf(key);
  return {
    schemas: [USER],
    externalId: key,
    userName: email,
    name: { givenName: 'Barbara', familyName: 'Jensen', formatted: 'Barbara Jensen' },
    displayName: `Barbara Jensen ${key}`,
    title: 'Tour Guide',
    locale: 'en-US',
    emails: [{ value: email, type: 'work', primary: true }],
    phoneNumbers: [{ value: '+1 555 0100', type: 'work' }],
    active: true,
  };
}

/** @param {string} key */
export function emailOf(key) {
  return `${key}@example.com`;
}

/** @param {string} prefix @param {number} number */
export function keyOf(prefix, number) {
  return `${prefix}-${String(number).padStart(8, '0')}`;
}
