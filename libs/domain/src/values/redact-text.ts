const CENSORED = '[redacted]';
const MAX_TEXT_LENGTH = 8192;

/** A text fit for a log: at most 8192 characters, credentials in Authorization values and in URLs replaced. */
export function redactText(text: string): string {
  return text
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/\b(bearer|basic)\s+[\w\-.~+/=]+/gi, `$1 ${CENSORED}`)
    .replaceAll(/(:\/\/[^\s:@/]*:)[^\s@/]+@/g, `$1${CENSORED}@`);
}
