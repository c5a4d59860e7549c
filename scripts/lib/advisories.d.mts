/** What `npm audit --json` says of advisories that a release must not have, or why it says nothing. */
export function readAdvisories(
  output: string,
): { readonly found: readonly string[]; readonly unanswered?: undefined } | { readonly unanswered: string };
