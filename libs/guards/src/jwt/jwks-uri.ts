/**
 * Whether keys may be fetched from this URL: https, or http on the loopback interface; no credentials, no fragment.
 * With https, an address of an internal service is of no use to somebody who got their own URL configured, since that
 * service has no certificate for the name; redirects are not followed.
 */
export function isJwksUri(text: string): boolean {
  if (text.length > 2048 || !URL.canParse(text)) {
    return false;
  }
  const url = new URL(text);
  const isTrustedTransport = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isTrustedTransport && url.username === '' && url.password === '' && url.hash === '';
}

/** `hostname` as `URL` normalises it: unusual spellings of IPv4 addresses are already dotted decimals. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
