import { parseDurationMs } from '@palisade/domain';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { addConfirmOption } from '../command/confirm.js';
import { addConnectionOptions } from '../command/connection-options.js';
import type { CommandContext, End } from '../command/context.js';
import { addOutputOptions } from '../command/output-options.js';
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
  addOperationOptions(command, operation, context).addHelpText('after', `\nExample:\n  palisade ${operation.example}`);
  command.action(async () => end(await runOperation(operation, inputOf(command), context)));
}

/** The command line of a command that has the options of an operation. */
export function inputOf(command: Command): OperationInput {
  return { arguments: command.args, options: command.opts<OperationInput['options']>() };
}

/** Adds the options of the operation, and those of every operation. */
export function addOperationOptions(command: Command, operation: Operation, context: CommandContext): Command {
  for (const option of operation.options ?? []) {
    command.addOption(toOption(option, context));
  }
  if (operation.takesFile) {
    command.option('--file <path>', 'JSON file with the body of the request; other options override its fields');
  }
  if (operation.follows !== undefined) {
    command.option(
      '--follow',
      'print what comes later, as it comes, until interrupted; JSON is one line for each item',
    );
  }
  if (operation.destroys !== undefined) {
    addConfirmOption(command);
  }
  return addConnectionOptions(addOutputOptions(command));
}

function toOption({ flags, text, kind, choices }: OperationOption, { now }: CommandContext): Option {
  const option = new Option(flags, text);
  if (choices !== undefined) {
    option.choices(choices);
  } else if (kind === 'number') {
    option.argParser(readNumber);
  } else if (kind === 'time') {
    option.argParser((time) => readTime(time, now));
  }
  return option;
}

function readNumber(text: string): number {
  if (!/^\d{1,16}(\.\d{1,9})?$/.test(text)) {
    throw new InvalidArgumentError('expected a number.');
  }
  return Number(text);
}

/** A moment: as it is, or a duration ago. */
function readTime(text: string, now: () => number): string {
  const agoMs = parseDurationMs(text);
  const time = agoMs === undefined ? Date.parse(text) : now() - agoMs;
  if (Number.isNaN(new Date(time).getTime())) {
    throw new InvalidArgumentError('expected a time, such as 2026-11-20T08:30:00Z, or how long ago, such as 2h.');
  }
  return agoMs === undefined ? text : new Date(time).toISOString();
}
