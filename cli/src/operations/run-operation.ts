import { readFileSync, statSync } from 'node:fs';
import { isObject } from '@palisade/domain';
import { Option } from 'commander';
import type { ConnectionOptions } from '../command/connection-options.js';
import { confirm, type ConfirmOptions } from '../command/confirm.js';
import { connect, findToken } from '../command/connection.js';
import { renderAnswer, type OutputFormat, type OutputOptions } from '../command/output-options.js';
import { renderJsonLine, renderRecord, renderTable, textOf, valueAt } from '../command/output.js';
import { EXIT, type ExitCode, type CommandContext } from '../command/context.js';
import { follow } from './follow.js';
import type { Operation } from './operation.js';
import { resolveName } from './resolve-name.js';
import { UsageError, unreadable } from '../command/command.errors.js';

/** The command line as commander has parsed it. */
export interface OperationInput {
  readonly arguments: readonly string[];
  readonly options: ConnectionOptions &
    OutputOptions &
    ConfirmOptions & {
      readonly file?: string;
      readonly follow?: boolean;
      readonly [name: string]: unknown;
    };
}

/** Sends the request of a command and prints the answer. */
export async function runOperation(
  operation: Operation,
  given: OperationInput,
  context: CommandContext,
): Promise<ExitCode> {
  const input = await withResolvedNames(operation, given, context);
  const { method, path, service, credential = 'admin' } = operation;
  const fields = readFields(operation, input);
  const body = toBody(operation, input, fields);
  const client = connect(service, credential, input.options, context);
  const query = method === 'GET' || method === 'DELETE' ? { ...operation.query, ...Object.fromEntries(fields) } : {};
  const parameters = pathParameters(operation, input);
  const request = { method, path, parameters, query, ...(body !== undefined && { body }) };
  const { output } = input.options;
  if (operation.follows !== undefined && input.options.follow) {
    await follow(client, request, operation.follows, printItems(operation, output, context), context);
    return EXIT.ok;
  }
  const consequences = input.options.yes
    ? []
    : ((await operation.destroys?.(client, { ...Object.fromEntries(fields), ...parameters })) ?? []);
  if (consequences.length > 0) {
    await confirm(consequences, input.options, context);
  }
  const answer = await client.send(request);
  const { mustBeTrue, otherwise } = operation;
  const isTrue = mustBeTrue === undefined || valueAt(answer, mustBeTrue) === true;
  if (isTrue || otherwise === undefined) {
    print(operation, answer, output, context);
  } else {
    await printBoth(operation, answer, otherwise, input, context);
  }
  return isTrue ? EXIT.ok : EXIT.failed;
}

/** The same command line with the ids of users and groups that it names otherwise. Only a provider's token can look them up. */
async function withResolvedNames(
  { arguments: words = [], credential }: Operation,
  input: OperationInput,
  context: CommandContext,
): Promise<OperationInput> {
  const env = credential === 'provider' ? context.env : { ...context.env, PALISADE_TOKEN: '', PALISADE_TOKEN_FILE: '' };
  const { url, timeoutMs, token, tokenFile } = input.options;
  const options = {
    timeoutMs,
    ...(url !== undefined && { url }),
    ...(credential === 'provider' && {
      ...(token !== undefined && { token }),
      ...(tokenFile !== undefined && { tokenFile }),
    }),
  };
  const isKnown = input.options['provider'] === undefined && findToken('provider', options, env) !== undefined;
  const named = words.filter(({ names }) => names !== undefined);
  if (named.length === 0 || !isKnown) {
    return input;
  }
  const client = connect('scim-service', 'provider', options, { ...context, env });
  const resolved = await Promise.all(
    input.arguments.map((word, index) => {
      const names = words[index]?.names;
      return names === undefined ? word : resolveName(client, names, word);
    }),
  );
  return { ...input, arguments: resolved };
}

/** An answer, and below it that of another request, which fits the same words and options. */
async function printBoth(
  operation: Operation,
  answer: unknown,
  { title, operation: other }: NonNullable<Operation['otherwise']>,
  input: OperationInput,
  context: CommandContext,
): Promise<void> {
  const client = connect(other.service, other.credential ?? 'admin', input.options, context);
  const query = Object.fromEntries(readFields({ ...other, arguments: [] }, input));
  const parameters = pathParameters(other, input);
  const more = await client.send({ method: other.method, path: other.path, parameters, query });
  const { output } = input.options;
  if (output === 'table') {
    print(operation, answer, output, context);
    context.out(`\n${title}\n\n`);
    print(other, more, output, context);
  } else {
    print(operation, { ...(answer as object), ...(more as object) }, output, context);
  }
}

function pathParameters({ arguments: words = [] }: Operation, input: OperationInput): Record<string, string> {
  return Object.fromEntries(
    words.flatMap(({ name, field }, index) => (field === undefined ? [[name, input.arguments[index] ?? '']] : [])),
  );
}

function readFields(operation: Operation, { arguments: words, options }: OperationInput): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  (operation.arguments ?? []).forEach(({ field }, index) => {
    if (field !== undefined) {
      fields.set(field, words[index]);
    }
  });
  for (const { flags, field } of operation.options ?? []) {
    const value = options[new Option(flags).attributeName()];
    if (value !== undefined) {
      fields.set(field, value);
    }
  }
  return fields;
}

function toBody(
  operation: Operation,
  { options: { file } }: OperationInput,
  fields: ReadonlyMap<string, unknown>,
): Record<string, unknown> | undefined {
  if (operation.method === 'GET' || operation.method === 'DELETE') {
    return undefined;
  }
  const body: Record<string, unknown> = { ...(file !== undefined && readBodyFile(file)), ...operation.body };
  for (const [path, value] of fields) {
    const [field = path, part] = path.split('.');
    const present = body[field];
    body[field] = part === undefined ? value : { ...(isObject(present) && present), [part]: value };
  }
  return body;
}

function print(
  { headline, items, columns = [] }: Operation,
  answer: unknown,
  format: OutputFormat,
  { out, error }: CommandContext,
): void {
  if (format !== 'table') {
    out(renderAnswer(answer, format));
    return;
  }
  if (answer === undefined) {
    out('done\n');
    return;
  }
  const title = headline === undefined ? undefined : valueAt(answer, headline);
  if (title !== undefined) {
    out(`${textOf(title)}\n\n`);
  }
  const list = items === undefined ? undefined : valueAt(answer, items);
  out(Array.isArray(list) ? renderTable(list, columns) : renderRecord(answer));
  for (const [name, option] of NEXT_PAGE) {
    const next = valueAt(answer, name);
    if (next !== undefined) {
      error(`More items: ${option} ${textOf(next)}\n`);
    }
  }
}

/** Fields of answers that say where the next page begins, with the option for it. */
const NEXT_PAGE = [
  ['next_cursor', '--cursor'],
  ['nextCursor', '--cursor'],
  ['next_before', '--before'],
] as const;

/** Prints the items of one answer after another: one header for all, or a line of JSON for each. */
function printItems(
  { items = '', columns = [] }: Operation,
  format: OutputFormat,
  { out }: CommandContext,
): (answer: unknown) => void {
  let hasHeader = false;
  return (answer) => {
    const list = valueAt(answer, items);
    if (!Array.isArray(list) || list.length === 0) {
      return;
    }
    if (format !== 'table') {
      list.forEach((item) => out(renderJsonLine(item)));
      return;
    }
    const table = renderTable(list, columns);
    out(hasHeader ? table.slice(table.indexOf('\n') + 1) : table);
    hasHeader = true;
  };
}

const MAX_BODY_BYTES = 2 ** 20;

/** The object in a JSON file. @throws {UsageError} when the file does not hold one. */
function readBodyFile(path: string): Readonly<Record<string, unknown>> {
  try {
    if (statSync(path).size > MAX_BODY_BYTES) {
      throw new UsageError(`${path} has more than ${MAX_BODY_BYTES} bytes`);
    }
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new UsageError(`${path} is not JSON: ${error.message}`, { cause: error });
    }
    throw unreadable(path, error);
  }
  throw new UsageError(`${path}: expected a JSON object`);
}
