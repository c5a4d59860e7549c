import { describe, expect, it } from '@jest/globals';
import { parseProviderId, type AttributeReference, type Filter, type ResourceType } from '@palisade/domain';
import { compileSql } from '../connection/kysely-connection.js';
import { filterCondition } from './filter-sql.js';

const PROVIDER = parseProviderId('p1');

type Comparison = Extract<Filter, { kind: 'compare' }>;

function compare(
  path: AttributeReference['path'],
  operator: Comparison['operator'],
  value: Comparison['value'],
): Comparison {
  return { kind: 'compare', attribute: { path, type: 'string', multiValued: false }, operator, value };
}

/** Text, with white space run together, and parameters of the condition that a filter becomes. */
function conditionOf(filter: Filter, type: ResourceType = 'User'): [string, ...unknown[]] {
  const { sql, parameters } = compileSql(filterCondition(filter, { provider: PROVIDER, type }));
  return [sql.replaceAll(/\s+/g, ' ').trim(), ...parameters];
}

describe(filterCondition.name, () => {
  it.each([
    ['eq', 'r.user_name = $1', ['x']],
    ['ne', 'r.user_name is distinct from $1', ['x']],
    ['sw', '(r.user_name >= $1 and r.user_name < $2)', ['x', 'y']],
    ['gt', 'r.user_name > $1', ['x']],
    ['ge', 'r.user_name >= $1', ['x']],
    ['lt', 'r.user_name < $1', ['x']],
    ['le', 'r.user_name <= $1', ['x']],
  ] as const)('compares userName with %s in its column', (operator, sql, parameters) => {
    expect(conditionOf(compare(['userName'], operator, 'x'))).toEqual([sql, ...parameters]);
  });

  it.each([
    ['co', 'strpos(r.external_id, $1) > 0', ['x%']],
    ['ew', 'right(r.external_id, $1) = $2', [2, 'x%']],
  ] as const)('compares the inside of externalId with %s without patterns', (operator, sql, parameters) => {
    expect(conditionOf(compare(['externalId'], operator, 'x%'))).toEqual([sql, ...parameters]);
  });

  it.each([
    [['id'], 'r.id = $1'],
    [['externalId'], 'r.external_id = $1'],
    [['displayName'], 'r.display_name = $1'],
    [['meta', 'resourceType'], 'r.resource_type = $1'],
  ] as const)('has a column for %j', (path, sql) => {
    expect(conditionOf(compare([...path], 'eq', 'x'))).toEqual([sql, 'x']);
  });

  it('compares dateTimes of meta as instants', () => {
    const filter = compare(['meta', 'lastModified'], 'gt', '2026-01-01T00:00:00.000Z');

    expect(conditionOf(filter)).toEqual(['r.modified_at > $1', new Date('2026-01-01T00:00:00Z')]);
  });

  it('compares active as a boolean', () => {
    expect(conditionOf(compare(['active'], 'eq', false))).toEqual(['r.active = $1', false]);
  });

  it('lets nothing match a value of another type', () => {
    expect(conditionOf(compare(['userName'], 'eq', 5))).toEqual(['false']);
    expect(conditionOf(compare(['userName'], 'ne', 5))).toEqual(['r.user_name is null']);
  });

  it('searches the document for every other attribute, under the provider', () => {
    expect(conditionOf(compare(['name', 'familyName'], 'eq', 'x'))).toEqual([
      'r.search @? $1::jsonpath',
      '$."p1" ? (exists(@."name"."familyName" ? (@ == "x")))',
    ]);
  });

  it('searches the document for a userName longer than its column', () => {
    const [sql] = conditionOf(compare(['userName'], 'eq', 'x'.repeat(512)));

    expect(sql).toBe('r.search @? $1::jsonpath');
  });

  it('looks a member up by id', () => {
    expect(conditionOf(compare(['members', 'value'], 'eq', 'user:scim:p1:a'), 'Group')).toEqual([
      'exists ( select 1 from memberships m ' +
        'where m.provider_id = r.provider_id and m.group_id = r.id and m.member_id = $1)',
      'user:scim:p1:a',
    ]);
  });

  it('has no members for users and no groups for groups', () => {
    expect(conditionOf(compare(['members', 'value'], 'eq', 'x'), 'User')).toEqual(['false']);
    expect(conditionOf(compare(['members', 'value'], 'ne', 'x'), 'User')).toEqual(['true']);
    expect(conditionOf(compare(['groups', 'value'], 'eq', 'x'), 'Group')).toEqual(['false']);
  });

  it('counts what is unknown as false when it is negated', () => {
    expect(conditionOf({ kind: 'not', operand: compare(['userName'], 'eq', 'x') })).toEqual([
      '(r.user_name = $1) is not true',
      'x',
    ]);
  });

  it('combines conditions with and and or', () => {
    const [a, b] = [compare(['id'], 'eq', 'a'), compare(['id'], 'eq', 'b')];

    expect(conditionOf({ kind: 'and', operands: [a, { kind: 'or', operands: [a, b] }] })).toEqual([
      '(r.id = $1 and (r.id = $2 or r.id = $3))',
      'a',
      'a',
      'b',
    ]);
    expect(conditionOf({ kind: 'and', operands: [] })).toEqual(['true']);
    expect(conditionOf({ kind: 'or', operands: [] })).toEqual(['false']);
  });

  it('takes a filter inside meta for one on the attributes of meta', () => {
    const attribute: AttributeReference = { path: ['meta'], type: 'complex', multiValued: false };
    const filter = compare(['resourceType'], 'eq', 'User');

    expect(conditionOf({ kind: 'element', attribute, filter })).toEqual(['r.resource_type = $1', 'User']);
  });
});
