import { ok, problem, type Finding } from './finding.js';

const CHECK = 'token scopes';

/**
 * What a JWT says of itself: read only, verified by the services. Any other token is opaque to us: those that are
 * configured have all scopes.
 */
export function examineTokenClaims(token: string, now: number): readonly Finding[] {
  const claims = readClaims(token);
  if (claims === undefined) {
    return [ok(CHECK, 'it is no JWT: configured tokens have all scopes')];
  }
  const expiresAt = Number(claims['exp']) * 1000;
  if (expiresAt <= now) {
    return [
      problem(CHECK, `the token ended at ${new Date(expiresAt).toISOString()}`, 'Get a new one from your issuer.'),
    ];
  }
  const scopes = new Set([claims['scope'], claims['scp']].flat().flatMap((value) => String(value ?? '').split(' ')));
  const ours = ['read', 'operate', 'admin'].filter((scope) => scopes.has(scope));
  return [
    ours.length === 0
      ? problem(CHECK, 'the JWT names none of the scopes read, operate and admin', 'Let your issuer grant one of them.')
      : ok(CHECK, ours.join(', ')),
  ];
}

function readClaims(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) {
    return undefined;
  }
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}
