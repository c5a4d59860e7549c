/** What a command gets from the process that it runs in. */
export interface Session {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Whether a person is watching; else output is for programs. */
  readonly isTerminal: boolean;
  readonly now: () => number;
  /** Aborts when the command is to end. */
  readonly signal: AbortSignal;
}

export const EXIT = { ok: 0, failed: 1, misused: 2 } as const;
export type ExitCode = number;
