import { describe, expect, it } from '@jest/globals';
import { wantsJson } from './output-options.js';

describe(wantsJson.name, () => {
  it.each(['--json', '-ojson', '-o json', '--output json', '--output=json', 'get tenant --json'])(
    'reads it in %j',
    (line) => {
      expect(wantsJson(line.split(' '))).toBe(true);
    },
  );

  it.each(['', '-o yaml', 'json', '-- --json', '--output table json'])('does not read it in %j', (line) => {
    expect(wantsJson(line.split(' '))).toBe(false);
  });
});
