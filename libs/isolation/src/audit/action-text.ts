const MAX_LENGTH = 1024;

/**
 * A text as it may stand in a record: of bounded length, and nothing in it that some store cannot keep, so that no record
 * can hold up those behind it. What cannot stand becomes U+FFFD.
 */
export function actionText(text: string): string {
  const bounded = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
  return bounded.toWellFormed().replaceAll(/\p{Cc}/gu, '\uFFFD');
}
