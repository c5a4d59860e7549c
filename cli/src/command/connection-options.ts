import { Option, type Command, InvalidArgumentError } from 'commander';

const MIN_TIMEOUT_MS = 100;
const MAX_TIMEOUT_MS = 600_000;
const DEFAULT_TIMEOUT_MS = 30_000;

/** The options of a command that say how to reach a service. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly timeoutMs: number;
}

/** Adds the options of every command that talks to one service. */
export function addConnectionOptions(command: Command): Command {
  return addTokenOptions(
    command.option('--url <url>', 'address of the service, instead of the one from the environment'),
  );
}

/** Adds the options of commands that find the services in other ways. */
export function addTokenOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--token <token>',
        'token to send; other users of this machine can see it, so prefer a file',
      ).conflicts('tokenFile'),
    )
    .option('--token-file <path>', 'file that holds the token')
    .option(
      '--timeout-ms <ms>',
      'how long to wait for each answer',
      wholeNumber(MIN_TIMEOUT_MS, MAX_TIMEOUT_MS),
      DEFAULT_TIMEOUT_MS,
    );
}

/** Parses a whole number within the range; anything else is wrong usage. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,16}$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}
