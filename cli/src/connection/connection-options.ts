import { Option, type Command } from 'commander';
import { wholeNumber } from './whole-number.js';

const MIN_TIMEOUT_MS = 100;
const MAX_TIMEOUT_MS = 600_000;
const DEFAULT_TIMEOUT_MS = 30_000;

/** What the options of a command say about how to reach a service. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly timeoutMs: number;
}

/** Adds the options that every command with one service has. */
export function addConnectionOptions(command: Command): Command {
  return addTokenOptions(
    command.option('--url <url>', 'address of the service, instead of the one from the environment'),
  );
}

/** Adds the options of those that find the services in other ways. */
export function addTokenOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--token <token>', 'token to send; other users of the machine can see it: prefer a file').conflicts(
        'tokenFile',
      ),
    )
    .option('--token-file <path>', 'file that holds the token')
    .option(
      '--timeout-ms <ms>',
      'how long to wait for each answer',
      wholeNumber(MIN_TIMEOUT_MS, MAX_TIMEOUT_MS),
      DEFAULT_TIMEOUT_MS,
    );
}
