import { createScimServiceClient, type PalisadeClientOptions } from './create-client.js';
import { dataOf } from './data-of.js';

/** How long before its end a token is no longer used: requests take time, and clocks differ. */
const MARGIN_MS = 60_000;

export interface ClientCredentials extends Omit<PalisadeClientOptions, 'token'> {
  /** Id of a token of kind `client`. */
  readonly clientId: string;
  /** Its secret. */
  readonly clientSecret: string;
}

interface AccessToken {
  readonly token: string;
  readonly usableUntil: number;
}

/**
 * A `token` for a client of the SCIM service: the access token that the service issues for client credentials (RFC 6749
 * §4.4), requested when first needed, and again shortly before it ends. Rejects as `dataOf` and clients do.
 */
export function clientCredentials(
  { clientId, clientSecret, ...options }: ClientCredentials,
  now: () => number = Date.now,
): () => Promise<string> {
  const client = createScimServiceClient(options);
  const ask = async (): Promise<AccessToken> => {
    const askedAt = now();
    const answer = await client.POST('/oauth/token', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
      bodySerializer: (body) => new URLSearchParams(body).toString(),
    });
    const { access_token: token, expires_in: lifetimeSeconds } = dataOf(answer);
    return { token, usableUntil: askedAt + lifetimeSeconds * 1000 - MARGIN_MS };
  };

  let current: Promise<AccessToken> | undefined;
  return async () => {
    const known = current;
    // The caller who requested it has got the error.
    const held = await known?.catch(() => undefined);
    if (held !== undefined && now() < held.usableUntil) {
      return held.token;
    }
    // One of several simultaneous callers requests the token for all.
    const next = current === undefined || current === known ? ask() : current;
    current = next;
    return (await next).token;
  };
}
