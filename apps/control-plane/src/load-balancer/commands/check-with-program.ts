import { RejectedStateError } from '../errors/rejected-state.error.js';
import { CommandFailedError, runCommand } from './run-command.js';

/**
 * @throws {RejectedStateError} when the program finds fault with what it is to check
 * @throws {CommandFailedError} when it could not be run, or did not end
 */
export async function checkWithProgram(command: readonly string[], timeoutMs: number): Promise<void> {
  try {
    await runCommand(command, timeoutMs);
  } catch (error) {
    throw error instanceof CommandFailedError && error.hasEnded
      ? new RejectedStateError(error.message, { cause: error })
      : error;
  }
}
