import { describe, expect, it } from '@jest/globals';
import { renderVariables } from './render-variables.js';
import { bearerToken, integer } from './variable-kinds.js';

describe(renderVariables.name, () => {
  it('writes one row per variable', () => {
    const size = integer('SVC_SIZE', { description: 'Size a | b.', min: 1, max: 9, default: '5' });
    const token = bearerToken('SVC_TOKEN', { description: 'Token.' });
    expect(renderVariables({ size, token: { ...token, expected: 'a token' } })).toBe(
      [
        '| variable | value | default | meaning |',
        '|---|---|---|---|',
        '| `SVC_SIZE` | an integer from 1 to 9 | `5` | Size a \\| b. |',
        '| `SVC_TOKEN`, `SVC_TOKEN_FILE` | a token | none | Token. |',
      ].join('\n'),
    );
  });
});
