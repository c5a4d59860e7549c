import { describe, expect, it } from '@jest/globals';
import { closestName } from './closest-name.js';

const VARIABLES = ['ADMIN_TOKEN', 'ADMIN_TOKENS', 'DATA_DIR'];
const KEYS = ['replicas', 'resources', 'isolation_level', 'max_total_connections', 'max_connections', 'type', 'tier'];

describe(closestName.name, () => {
  it.each([
    ['a character is missing', 'DATA_DR', 'DATA_DIR'],
    ['two characters are added', 'DATAS_DIRS', 'DATA_DIR'],
    ['two neighbours are swapped', 'DATA_DRI', 'DATA_DIR'],
    ['several are near: the nearest', 'ADMIN_TOKEN_', 'ADMIN_TOKEN'],
  ])('finds the name when %s', (_, name, meant) => {
    expect(closestName(name, VARIABLES)).toBe(meant);
  });

  it.each([
    ['replica', 'replicas'],
    ['isolationLevel', 'isolation_level'],
    ['isolation-level', 'isolation_level'],
    ['level_isolation', 'isolation_level'],
    ['max_connections_total', 'max_total_connections'],
    ['max_conections', 'max_connections'],
    ['tpye', 'type'],
  ])('takes %s for %s', (name, meant) => {
    expect(closestName(name, KEYS)).toBe(meant);
  });

  it.each(['', 'zzz', 'pool', 'DATA'])('finds nothing near %j', (name) => {
    expect(closestName(name, [...KEYS, ...VARIABLES])).toBeUndefined();
  });

  it('does not measure a name of more than 100 characters', () => {
    expect(closestName('x'.repeat(101), ['x'.repeat(101)])).toBeUndefined();
  });
});
