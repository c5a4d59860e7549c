import type { X509Certificate } from 'node:crypto';
import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';

/** RFC 8705 §3.1: the confirmation method that binds a token to a certificate. */
const CERTIFICATE_THUMBPRINT = 'x5t#S256';

/**
 * Whether whoever presents a token may use it: anybody, unless it is bound to something (RFC 7800 `cnf`). One bound to a
 * certificate may be used by who holds that certificate; one bound in another way, which is not understood here, by nobody.
 */
export function isHolderOf({ cnf }: JWTPayload, certificate: X509Certificate | undefined): boolean {
  if (cnf === undefined) {
    return true;
  }
  const bindings = typeof cnf === 'object' && cnf !== null ? Object.entries(cnf) : [];
  const [binding] = bindings;
  if (binding === undefined || bindings.length > 1 || binding[0] !== CERTIFICATE_THUMBPRINT) {
    return false;
  }
  return certificate !== undefined && binding[1] === thumbprintOf(certificate);
}

function thumbprintOf(certificate: X509Certificate): string {
  return createHash('sha256').update(certificate.raw).digest('base64url');
}
