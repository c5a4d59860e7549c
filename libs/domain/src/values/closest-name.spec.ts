import { describe, expect, it } from '@jest/globals';
import { closestName } from './closest-name.js';

const NAMES = ['SVC_ADMIN_TOKEN', 'SVC_ADMIN_TOKENS', 'SVC_DATA_DIR'];

describe(closestName.name, () => {
  it.each([
    ['a character is missing', 'SVC_DATA_DR', 'SVC_DATA_DIR'],
    ['two characters are added', 'SVC_DATAS_DIRS', 'SVC_DATA_DIR'],
    ['two neighbours are swapped', 'SVC_DATA_DRI', 'SVC_DATA_DIR'],
    ['several are near: the nearest', 'SVC_ADMIN_TOKEN_', 'SVC_ADMIN_TOKEN'],
  ])('finds the name when %s', (_, name, meant) => {
    expect(closestName(name, NAMES)).toBe(meant);
  });

  it('finds nothing three changes away', () => {
    expect(closestName('SVC_DATA', NAMES)).toBeUndefined();
  });

  it('does not measure a name of more than 100 characters', () => {
    expect(closestName('x'.repeat(101), ['x'.repeat(101)])).toBeUndefined();
  });
});
