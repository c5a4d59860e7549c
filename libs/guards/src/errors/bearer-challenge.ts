const REALM = 'palisade';

/** A WWW-Authenticate value (RFC 6750 §3). The attributes' values must hold neither quotes nor backslashes. */
export function bearerChallenge(attributes: Readonly<Record<string, string>> = {}): string {
  const parameters = Object.entries({ realm: REALM, ...attributes }).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${parameters.join(', ')}`;
}
