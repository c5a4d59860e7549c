import { describe, expect, it } from '@jest/globals';
import { parseProviderId, type AttributeReference, type Filter, type ResourceQuery } from '@palisade/domain';
import { compileSql } from '../connection/compile-sql.js';
import { statementName } from '../connection/prepared-statements.js';
import { listResources } from './list-resources.js';
import { pageStatement } from './page-sql.js';

function queryWhere(name: string, operator: 'eq' | 'sw', include: ResourceQuery['include'] = {}): ResourceQuery {
  const attribute: AttributeReference = { path: [name], type: 'string', multiValued: false };
  const filter: Filter = { kind: 'compare', attribute, operator, value: 'ann@example.com' };
  return {
    selections: [{ type: 'User', filter }],
    order: 'created',
    page: { kind: 'index', startIndex: 11, count: 100 },
    include,
  };
}

function nameOf(query: ResourceQuery): string | undefined {
  return statementName(compileSql(pageStatement(parseProviderId('p1'), query)).sql);
}

describe(listResources.name, () => {
  it.each(['userName', 'externalId', 'displayName'])('looks resources up by %s with a prepared statement', (name) => {
    expect(nameOf(queryWhere(name, 'eq'))).toBeDefined();
    expect(nameOf(queryWhere(name, 'eq', { groups: true }))).toBeDefined();
  });

  it('prepares nothing that a caller shapes', () => {
    expect(nameOf(queryWhere('userName', 'sw'))).toBeUndefined();
    expect(nameOf({ ...queryWhere('userName', 'eq'), selections: [{ type: 'User' }] })).toBeUndefined();
  });
});
