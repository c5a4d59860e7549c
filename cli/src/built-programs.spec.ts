import { describe, expect, it } from '@jest/globals';
import { runPalisade } from './palisade.js';

describe('a program of the services that is not here', () => {
  it.each([
    ['control-plane', 'config-command.js', ['config', 'validate', 'control-plane.yaml']],
    ['scim-service', 'migrate.js', ['migrate']],
    ['scim-service', 'prune-log.js', ['prune-log', '--days', '400']],
  ])('%s: says where %s is, before it asks anything', async (service, program, words) => {
    let message = '';
    const code = await runPalisade(words, {
      env: {},
      out: () => undefined,
      error: (text) => {
        message += text;
      },
      isTerminal: false,
      now: () => 0,
      signal: new AbortController().signal,
    });
    expect(code).toBe(1);
    expect(message).toBe(
      `this is a program of the ${service}, which @palisade/cli does not contain: run "node dist/apps/${service}/src/${program}" in the image of the ${service}, or this command in a checkout after "npm run build"\n`,
    );
  });
});
