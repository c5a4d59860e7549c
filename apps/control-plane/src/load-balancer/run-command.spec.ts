import { afterEach, describe, expect, it } from '@jest/globals';
import { RejectedStateError } from './load-balancer.errors.js';
import { checkWithProgram, CommandFailedError, runCommand } from './run-command.js';

const shell = (script: string, ...args: string[]) => ['/bin/sh', '-c', script, ...args];

const OURS = ['SVC_TEST_SECRET', 'OTEL_EXPORTER_OTLP_HEADERS'];

describe(runCommand.name, () => {
  afterEach(() => {
    OURS.forEach((name) => delete process.env[name]);
  });

  it('returns what the program wrote', async () => {
    expect(await runCommand(shell('echo out; echo err >&2'), 5000)).toBe('out\nerr\n');
  });

  it('passes arguments as they are', async () => {
    expect(await runCommand(['/bin/echo', '$HOME; `id`', '*'], 5000)).toBe('$HOME; `id` *\n');
  });

  it.each([
    ['exit 3', 'ended with exit code 3'],
    ['echo why >&2; exit 1', 'ended with exit code 1: why'],
    ['kill -9 $$', 'ended with SIGKILL'],
  ])('fails after "%s"', async (script, reason) => {
    await expect(runCommand(shell(script), 5000)).rejects.toThrow(`/bin/sh ${reason}`);
  });

  it('fails when there is no such program', async () => {
    await expect(runCommand(['/does/not/exist'], 5000)).rejects.toThrow(CommandFailedError);
  });

  it('ends what takes too long', async () => {
    await expect(runCommand(shell('sleep 600'), 100)).rejects.toThrow('did not end within 100 ms');
  });

  it('does not wait for what a program leaves behind', async () => {
    const left = Number(await runCommand(shell('sleep 600 & echo $!'), 10_000));
    expect(process.kill(left, 'SIGKILL')).toBe(true);
  });

  it('keeps only the end of a long output', async () => {
    const output = await runCommand(shell('i=0; while [ $i -lt 3000 ]; do echo "line $i"; i=$((i+1)); done'), 20_000);
    expect(output.length).toBeLessThanOrEqual(4000);
    expect(output).toMatch(/line 2999\n$/);
  });

  it.each(OURS)('passes the environment on, but not %s', async (name) => {
    process.env[name] = 'secret';
    expect(await runCommand(shell(`echo "[$${name}]"; test -n "$PATH"`), 5000)).toBe('[]\n');
  });
});

describe(checkWithProgram.name, () => {
  it('rejects what the program finds fault with', async () => {
    const check = checkWithProgram(shell('echo "line 3: unknown keyword"; exit 1'), 5000);
    await expect(check).rejects.toThrow(RejectedStateError);
    await expect(check).rejects.toThrow('line 3: unknown keyword');
  });

  it.each([[['/does/not/exist']], [shell('kill -9 $$')]])(
    'does not blame the configuration when %j',
    async (command) => {
      await expect(checkWithProgram(command, 5000)).rejects.toThrow(CommandFailedError);
    },
  );
});
