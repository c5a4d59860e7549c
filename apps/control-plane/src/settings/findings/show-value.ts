import { redactText } from '@palisade/domain';

const MAX_SHOWN_LENGTH = 80;

/** What stands after "found" in a problem: short, on one line, fit for a terminal, without credentials of addresses. */
export function showValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return showText(value);
    case 'undefined':
      return 'nothing';
    case 'object':
      return value === null ? 'nothing' : Array.isArray(value) ? 'a list' : 'an object';
    default:
      return String(value);
  }
}

/** A text in quotes; what cannot be seen, or would act on a terminal, is escaped. */
export function showText(text: string): string {
  const redacted = redactText(text)
    .replaceAll(/:\/\/[^\s/@]*@/g, '://[redacted]@')
    .replaceAll(/[^\s:/@[\]]+:[^\s/@]+@/g, '[redacted]@');
  const shown = redacted.length > MAX_SHOWN_LENGTH ? `${redacted.slice(0, MAX_SHOWN_LENGTH - 1)}…` : redacted;
  return JSON.stringify(shown.toWellFormed()).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
