import { describe, expect, it } from '@jest/globals';
import { prepared, statementName } from './prepared-statements.js';

describe(prepared.name, () => {
  it('gives each text one name, however often it is registered', () => {
    const text = prepared('select 1 from spec');
    const name = statementName(text);
    prepared(text);
    prepared('select 2 from spec');

    expect(name).toMatch(/^palisade_\d+$/);
    expect(statementName('select 1 from spec')).toBe(name);
    expect(statementName('select 2 from spec')).not.toBe(name);
  });

  it('has no name for a text that is not registered', () => {
    expect(statementName('select 3 from spec')).toBeUndefined();
  });
});
