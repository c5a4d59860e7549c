import type { ApiClient, ServiceName } from '../command/api-client.js';
import type { Credential } from '../command/connection.js';
import type { Named } from './resolve-name.js';
import type { Following } from './follow.js';

/** One word after the command, such as `<provider>`. */
export interface OperationArgument {
  readonly name: string;
  readonly text: string;
  /** It may be an e-mail address or a name as well, where that is unambiguous. */
  readonly names?: Named;
  /** Field of the query or of the body; absent for a parameter of the path. */
  readonly field?: string;
}

/** An option such as `--pool <name>`: a field of the query or of the body, or after a dot a field of an object in the body. */
export interface OperationOption {
  readonly flags: string;
  readonly text: string;
  readonly field: string;
  readonly kind?: 'text' | 'number' | 'time' | 'list' | 'switch';
  readonly choices?: readonly string[];
}

/** A command that sends one request, as it is run; {@link DocumentedOperation} is the type to write one in. */
export interface Operation {
  readonly name: string;
  readonly summary: string;
  readonly service: ServiceName;
  readonly credential?: Credential;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly arguments?: readonly OperationArgument[];
  readonly options?: readonly OperationOption[];
  /** Fields of the query that are always the same. */
  readonly query?: object;
  /** Fields of the body that are always the same. */
  readonly body?: object;
  /** Whether `--file` names a JSON file with the body; options override its fields. */
  readonly takesFile?: boolean;
  /** Field of the answer to print above the table, if the answer has it. */
  readonly headline?: string;
  /** Field of the answer to print as a table. */
  readonly items?: string;
  /** Fields of each item that the table shows. */
  readonly columns?: readonly string[];
  /** Field of the answer that must be true; otherwise the command ends with 1. */
  readonly mustBeTrue?: string;
  /** What to ask for and print as well, with the same words and options, when that field is not true. */
  readonly otherwise?: { readonly title: string; readonly operation: Operation };
  /** What will be gone, in words, with the values of the request; the command asks first. Nothing when nothing will. */
  destroys?(client: ApiClient, values: Readonly<Record<string, unknown>>): Promise<readonly string[]>;
  /** With `--follow`, asks again and again for what comes later, until the command is interrupted. */
  readonly follows?: Following;
  /** An example call, without the program's name. */
  readonly example: string;
}

/** The options of commands that list in pages. */
export const PAGE_OPTIONS = [
  { flags: '--limit <count>', text: 'maximum number of items', field: 'limit', kind: 'number' },
  { flags: '--cursor <cursor>', text: 'continue where the previous page ended', field: 'cursor' },
] as const satisfies readonly OperationOption[];
