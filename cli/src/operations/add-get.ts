import type { Command } from 'commander';
import type { CommandContext, End } from '../command/context.js';
import { addOperationOptions, inputOf } from './add-operation.js';
import { OPERATION_GROUPS } from './all.js';
import { runOperation } from './run-operation.js';

/** Adds `get`: the lists of all groups of commands, and with an id what their `show` answers. */
export function addGet(program: Command, context: CommandContext, end: End): void {
  const get = program
    .command('get')
    .description('List the objects of a kind, or show one of them.')
    .addHelpText('after', '\nExample:\n  palisade get tenant acme -o yaml');
  for (const { name, operations } of OPERATION_GROUPS) {
    const list = operations.find((operation) => operation.name === 'list');
    const show = operations.find((operation) => operation.name === 'show');
    if (list === undefined || (list.arguments ?? []).length > 0) {
      continue;
    }
    const command = get
      .command(name)
      .alias(`${name.replace(/y$/, 'ie')}s`)
      .description(list.summary);
    if (show !== undefined) {
      command.argument('[id]', 'only this one, with everything about it');
    }
    addOperationOptions(command, list, context)
      .addHelpText('after', `\nExample:\n  palisade get ${name} -o json`)
      .action(async () =>
        end(await runOperation(command.args.length > 0 && show ? show : list, inputOf(command), context)),
      );
  }
}
