import { describe, expect, it } from '@jest/globals';
import {
  formatResourceId,
  MAX_GROUP_DEPTH,
  MAX_GROUP_MEMBERS,
  MembershipCycleError,
  NestingTooDeepError,
  parseProviderId,
  ProviderBusyError,
  TooManyMembersError,
  UnknownMemberError,
} from '@palisade/domain';
import { toScimError } from './scim.errors.js';

const PROVIDER = parseProviderId('okta');
const TOURS = formatResourceId('Group', PROVIDER, 'tours');
const GUIDES = formatResourceId('Group', PROVIDER, 'guides');

describe(toScimError.name, () => {
  it.each([
    new MembershipCycleError(TOURS, GUIDES),
    new NestingTooDeepError(TOURS, MAX_GROUP_DEPTH),
    new TooManyMembersError(TOURS, MAX_GROUP_MEMBERS),
    new UnknownMemberError(TOURS, GUIDES),
  ])('calls members that a group cannot have an invalid value: $code', (error) => {
    expect(toScimError(error)).toMatchObject({ status: 400, scimType: 'invalidValue', detail: error.message });
  });

  it('has the client of a busy provider come again', () => {
    expect(toScimError(new ProviderBusyError(PROVIDER, 200))).toMatchObject({ status: 429, scimType: undefined });
  });

  it('has nothing to say of an error that is not of the domain', () => {
    expect(toScimError(new Error('disk full'))).toBeUndefined();
  });
});
