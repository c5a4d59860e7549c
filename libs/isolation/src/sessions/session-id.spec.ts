import { describe, expect, it } from '@jest/globals';
import { createSessionId, parseSessionId } from './session-id.js';

describe(parseSessionId.name, () => {
  it('takes what was made here', () => {
    const id = createSessionId();
    expect(parseSessionId(id)).toBe(id);
  });

  it.each(['', 'x'.repeat(36), '00000000-0000-0000-0000-00000000000G', `${createSessionId()}\n`])(
    'rejects %j',
    (text) => {
      expect(() => parseSessionId(text)).toThrow('session id: expected a UUID');
    },
  );
});
