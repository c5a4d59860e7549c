import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * The certificate that the client has presented and proved to hold, whether or not its chain is trusted. A certificate
 * counts only when it is there: on a resumed TLS session `authorized` can be true without any.
 */
export function presentedCertificate(socket: Socket): X509Certificate | undefined {
  return socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
}

/** Whether the server has verified that an authority it trusts for clients has issued the certificate. */
export function isTrusted(socket: Socket): boolean {
  return socket instanceof TLSSocket && socket.authorized;
}
