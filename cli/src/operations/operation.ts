import type { ServiceName } from '../api/api-client.js';
import type { Credential } from '../connection/connection.js';

/** One word after the command, `<provider>`. */
export interface OperationArgument {
  readonly name: string;
  readonly text: string;
  /** Field of the query or of the body; without it, a parameter of the path. */
  readonly field?: string;
}

/** `--pool <name>`: a field of the query or of the body. */
export interface OperationOption {
  readonly flags: string;
  readonly text: string;
  readonly field: string;
  readonly kind?: 'text' | 'number' | 'list' | 'switch';
  readonly choices?: readonly string[];
}

/** A command that is one request, as it is run; {@link DocumentedOperation} is how one is written down. */
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
  /** Whether `--file` names a JSON file with the body; options count over what it says. */
  readonly takesFile?: boolean;
  /** A text to show above the table, when the answer has it. */
  readonly headline?: string;
  /** The list to show as a table. */
  readonly items?: string;
  /** Of the table. */
  readonly columns?: readonly string[];
  /** A field of the answer that must be true, else the command ends with 1. */
  readonly mustBeTrue?: string;
  /** A list of words after the command's name. */
  readonly example: string;
}

/** Options of each command that lists in pages. */
export const PAGE_OPTIONS = [
  { flags: '--limit <count>', text: 'at most so many', field: 'limit', kind: 'number' },
  { flags: '--cursor <cursor>', text: 'read on where the page before ended', field: 'cursor' },
] as const satisfies readonly OperationOption[];
