import { Command } from 'commander';
import { addCompletion } from './completion/add-completion.js';
import { addDoctor } from './doctor/add-doctor.js';
import { addOperation, addOperationGroup } from './operations/add-operation.js';
import { OPERATION_GROUPS, SINGLE_OPERATIONS } from './operations/all.js';
import { addPrograms } from './programs/add-programs.js';
import { addSeed } from './seed/add-seed.js';
import type { ExitCode, Session } from './session.js';
import { addTransfer } from './transfer/add-transfer.js';
import { findVersion } from './version.js';

/** Columns of the help, whatever the terminal: docs/cli.md shows the same. */
const HELP_COLUMNS = 110;

const ENVIRONMENT = `
Environment:
  PALISADE_SCIM_URL       address of the SCIM service (http://localhost:9091)
  PALISADE_CONTROL_URL    address of the control plane (http://localhost:8980)
  PALISADE_TOKEN          token to send
  PALISADE_PROVIDER_TOKEN token for commands that need one of a provider, instead of PALISADE_TOKEN
  …_FILE                  file that holds the token

Exit codes:
  0  done; the answer is yes
  1  failed, or the answer is no
  2  called in a way that there is not; nothing was done

Example:
  PALISADE_TOKEN_FILE=.palisade/admin-token palisade doctor`;

/** The program with all commands; `end` is told how a command ended. */
export function createProgram(session: Session, end: (code: ExitCode) => void): Command {
  const program = new Command('palisade')
    .description('Works with the SCIM service and the control plane of Palisade.')
    .version(findVersion(import.meta.dirname), '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: session.out,
      writeErr: session.error,
      getOutHelpWidth: () => HELP_COLUMNS,
      getErrHelpWidth: () => HELP_COLUMNS,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError('(--help says what there is)')
    .addHelpText('after', ENVIRONMENT);
  addDoctor(program, session, end);
  addPrograms(program, session, end);
  OPERATION_GROUPS.forEach((group) => addOperationGroup(program, group, session, end));
  SINGLE_OPERATIONS.forEach((operation) => addOperation(program, operation, session, end));
  addTransfer(program, session, end);
  addSeed(program, session, end);
  addCompletion(program, session);
  return program;
}
