import { describe, expect, it } from '@jest/globals';
import { formatResourceId, parseProviderId } from '../identifiers.js';
import { MembershipCycleError } from './directory.errors.js';

const PROVIDER = parseProviderId('okta');
const TOURS = formatResourceId('Group', PROVIDER, 'tours');
const GUIDES = formatResourceId('Group', PROVIDER, 'guides');

describe(MembershipCycleError.name, () => {
  it('says which group contains which', () => {
    expect(new MembershipCycleError(TOURS, GUIDES).message).toBe(
      'members: group:scim:okta:guides already contains group:scim:okta:tours, a group cannot contain itself',
    );
  });

  it('says of a group that is to be its own member that it cannot contain itself', () => {
    expect(new MembershipCycleError(TOURS, TOURS).message).toBe('members: group:scim:okta:tours cannot contain itself');
  });
});
