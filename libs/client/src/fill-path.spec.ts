import { describe, expect, it } from '@jest/globals';
import { fillPath } from './fill-path.js';

describe(fillPath.name, () => {
  it.each([
    ['a/b', '/x/a%2Fb'],
    ['user:scim:p:é', '/x/user%3Ascim%3Ap%3A%C3%A9'],
    ['?#%', '/x/%3F%23%25'],
    ['...', '/x/...'],
    ['\r\n', '/x/%0D%0A'],
  ])('makes one segment of %j', (id, path) => {
    expect(fillPath('/x/{id}', { id })).toBe(path);
    expect(new URL(path, 'http://a').pathname).toBe(path);
  });

  it.each(['', '.', '..', '\ud800'])('rejects %j, which would be another path', (id) => {
    expect(() => fillPath('/x/{id}', { id })).toThrow('id: expected');
  });
});
