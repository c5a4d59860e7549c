import { describe, expect, it } from '@jest/globals';
import { ForbiddenError, UnauthenticatedError } from './authentication.errors.js';

describe(UnauthenticatedError.name, () => {
  it('challenges without an error code when no credentials were given', () => {
    expect(new UnauthenticatedError('missing').challenge).toBe('Bearer realm="palisade"');
  });

  it('challenges with invalid_token and the reason otherwise', () => {
    expect(new UnauthenticatedError('expired').challenge).toBe(
      'Bearer realm="palisade", error="invalid_token", error_description="the bearer token has expired"',
    );
  });
});

describe(ForbiddenError.name, () => {
  it('challenges with the scope that is missing', () => {
    expect(new ForbiddenError('no', 'operate').challenge).toBe(
      'Bearer realm="palisade", error="insufficient_scope", scope="operate"',
    );
  });

  it('has no challenge when other credentials would not help', () => {
    expect(new ForbiddenError('no').challenge).toBeUndefined();
  });
});
