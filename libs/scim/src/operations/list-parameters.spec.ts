import { describe, expect, it } from '@jest/globals';
import { ScimError } from '../scim.errors.js';
import { SEARCH_REQUEST_URN } from '../urns.js';
import { readAttributeSelection, readListQuery, readSearchRequest } from './list-parameters.js';

function rejection(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error instanceof ScimError ? [error.status, error.scimType] : error;
  }
}

describe(readListQuery.name, () => {
  it('reads numbers from their texts', () => {
    expect(readListQuery({ startIndex: '11', count: '10' })).toMatchObject({ startIndex: 11, count: 10 });
  });

  it('[RFC7644-3.4.2.4] counts a startIndex below 1 as 1 and a negative count as 0', () => {
    expect(readListQuery({ startIndex: '0', count: '-5' })).toMatchObject({ startIndex: 1, count: 0 });
  });

  it('answers a count above the maximum with the maximum', () => {
    expect(readListQuery({ count: '100000' }).count).toBe(1000);
  });

  it.each(['ten', '1.5', '1e3', '', '99999999999999999999'])('rejects the count %j as invalidCount', (count) => {
    expect(rejection(() => readListQuery({ count }))).toEqual([400, 'invalidCount']);
  });

  it('rejects a startIndex that is not an integer', () => {
    expect(rejection(() => readListQuery({ startIndex: 'first' }))).toEqual([400, 'invalidValue']);
  });

  it('rejects a parameter that is given twice', () => {
    expect(rejection(() => readListQuery({ filter: ['a pr', 'b pr'] }))).toEqual([400, 'invalidFilter']);
  });

  it('takes sortOrder in any case and rejects other words', () => {
    expect(readListQuery({ sortOrder: 'Descending' }).sortOrder).toBe('descending');
    expect(rejection(() => readListQuery({ sortOrder: 'up' }))).toEqual([400, 'invalidValue']);
  });

  it('[RFC9865-2] tells an empty cursor from none', () => {
    expect(readListQuery({ cursor: '' }).cursor).toBe('');
    expect(readListQuery({}).cursor).toBeUndefined();
  });
});

describe(readSearchRequest.name, () => {
  const schemas = [SEARCH_REQUEST_URN];

  it('reads numbers and lists as JSON has them', () => {
    const request = { schemas, startIndex: 2, count: 3, attributes: ['userName', 'emails'] };
    expect(readSearchRequest(request)).toMatchObject({ startIndex: 2, count: 3, attributes: ['userName', 'emails'] });
  });

  it('[RFC7644-3.4.3] demands the SearchRequest schema', () => {
    expect(rejection(() => readSearchRequest({ filter: 'userName pr' }))).toEqual([400, 'invalidSyntax']);
  });

  it.each([null, [], 'filter', 7])('rejects the body %j', (body) => {
    expect(rejection(() => readSearchRequest(body))).toEqual([400, 'invalidSyntax']);
  });

  it('rejects a count that is a text', () => {
    expect(rejection(() => readSearchRequest({ schemas, count: '3' }))).toEqual([400, 'invalidCount']);
  });
});

describe(readAttributeSelection.name, () => {
  it('splits at commas and trims', () => {
    expect(readAttributeSelection({ attributes: 'userName, name.familyName,' }).attributes).toEqual([
      'userName',
      'name.familyName',
    ]);
  });

  it('rejects what is no text', () => {
    expect(rejection(() => readAttributeSelection({ excludedAttributes: [1] }))).toEqual([400, 'invalidValue']);
  });
});
