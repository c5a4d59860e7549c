/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'problem';
  /** What was found, in plain words. */
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

export function ok(check: string, text: string): Finding {
  return { check, level: 'ok', text };
}

export function warning(check: string, text: string, advice: string): Finding {
  return { check, level: 'warning', text, advice };
}

export function problem(check: string, text: string, advice: string): Finding {
  return { check, level: 'problem', text, advice };
}
