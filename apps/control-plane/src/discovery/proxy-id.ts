import { parseProxyId, type ProxyId } from '@palisade/domain';

/**
 * The identifier of a proxy that is known by its address only: `proxy-1.example.com-8080`, `10.0.0.1-8080`,
 * `ip6-fd00--1-8080`.
 *
 * @throws {InvalidIdentifierError} when the host is no name and no address
 */
export function proxyIdOf(host: string, port: number): ProxyId {
  const name = host.toLowerCase().replace(/\.$/, '');
  return parseProxyId(`${name.includes(':') ? `ip6-${name.replaceAll(':', '-')}` : name}-${port}`);
}
