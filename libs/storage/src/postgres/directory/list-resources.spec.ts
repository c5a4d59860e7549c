import { describe, expect, it } from '@jest/globals';
import { parseProviderId, type AttributeReference, type Filter, type ResourceQuery } from '@palisade/domain';
import { compileSql } from '../connection/kysely-connection.js';
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

  it.each<ResourceQuery['page']>([
    { kind: 'index', startIndex: 90_001, count: 100 },
    { kind: 'cursor', count: 100 },
    { kind: 'cursor', count: 100, after: { sequence: 90_000 } },
  ])('lists all resources of a type with a prepared statement: %j', (page) => {
    const query: ResourceQuery = { selections: [{ type: 'User' }], order: 'created', page, include: { groups: true } };

    expect(nameOf(query)).toBeDefined();
    expect(nameOf({ ...query, selections: [{ type: 'Group' }] })).toBeDefined();
  });

  it('prepares nothing that a caller shapes', () => {
    const userName: AttributeReference = { path: ['userName'], type: 'string', multiValued: false };
    const sorted: ResourceQuery = {
      ...queryWhere('userName', 'eq'),
      selections: [{ type: 'User', sortBy: userName }],
      order: 'ascending',
    };

    expect(nameOf(queryWhere('userName', 'sw'))).toBeUndefined();
    expect(nameOf(sorted)).toBeUndefined();
  });
});
