import type { JWTPayload } from 'jose';

/**
 * Whether the claim is an e-mail address that the issuer says nobody has verified; anybody may have entered it (OpenID
 * Connect Core §5.1). Some issuers write `email_verified` as a text. An issuer without that claim vouches for its addresses.
 */
export function isDisputedEmail(claims: JWTPayload, claim: string | undefined): boolean {
  const { email_verified: verified } = claims;
  return claim === 'email' && verified !== undefined && verified !== true && verified !== 'true';
}
