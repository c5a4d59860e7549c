/** What a command gets from the process that it runs in. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Whether a person is watching; otherwise output is for programs. */
  readonly isTerminal: boolean;
  /** Asks the person at the terminal; absent where there is none to ask. */
  readonly ask?: (question: string) => Promise<string>;
  readonly now: () => number;
  /** Aborts when the command has to end. */
  readonly signal: AbortSignal;
}

export const EXIT = { ok: 0, failed: 1, misused: 2 } as const;
export type ExitCode = number;

/** Sets the code that the process ends with. */
export type End = (code: ExitCode) => void;
