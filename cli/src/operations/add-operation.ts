import { InvalidArgumentError, Option, type Command } from 'commander';
import { addConnectionOptions } from '../command/connection-options.js';
import type { CommandContext, End } from '../command/context.js';
import type { OperationGroup } from './documented-operation.js';
import type { Operation, OperationOption } from './operation.js';
import { runOperation, type OperationInput } from './run-operation.js';

/** Adds a group of commands, such as `palisade tenant …`. */
export function addOperationGroup(program: Command, group: OperationGroup, context: CommandContext, end: End): Command {
  const command = program.command(group.name).description(group.summary);
  const [first] = group.operations;
  command.addHelpText('after', `\nExample:\n  palisade ${first?.example ?? group.name}`);
  group.operations.forEach((operation) => addOperation(command, operation, context, end));
  return command;
}

/** Adds one command that sends one request. */
export function addOperation(parent: Command, operation: Operation, context: CommandContext, end: End): void {
  const command = parent.command(operation.name).description(operation.summary);
  for (const { name, text } of operation.arguments ?? []) {
    command.argument(`<${name}>`, text);
  }
  for (const option of operation.options ?? []) {
    command.addOption(toOption(option));
  }
  if (operation.takesFile) {
    command.option('--file <path>', 'JSON file with the body of the request; other options override its fields');
  }
  const json = operation.follows === undefined ? 'print the answer as JSON' : 'print each item as a line of JSON';
  addConnectionOptions(command.option('--json', json)).addHelpText(
    'after',
    `\nExample:\n  palisade ${operation.example}`,
  );
  command.action(async () => {
    end(
      await runOperation(
        operation,
        { arguments: command.args, options: command.opts<OperationInput['options']>() },
        context,
      ),
    );
  });
}

function toOption({ flags, text, kind, choices }: OperationOption): Option {
  const option = new Option(flags, text);
  if (choices !== undefined) {
    option.choices(choices);
  } else if (kind === 'number') {
    option.argParser(readNumber);
  }
  return option;
}

function readNumber(text: string): number {
  if (!/^\d{1,16}(\.\d{1,9})?$/.test(text)) {
    throw new InvalidArgumentError('expected a number.');
  }
  return Number(text);
}
