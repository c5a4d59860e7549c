const MAX_LENGTH = 255;

/** Whether a text can name somebody in records and sessions: of bounded length, without control characters. */
export function isIdentityText(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.length >= 1 &&
    text.length <= MAX_LENGTH &&
    text.isWellFormed() &&
    !/\p{Cc}/u.test(text)
  );
}
