import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Link-local addresses, and those of cloud providers' metadata services, which hand out credentials to whoever asks from this
 * machine.
 */
const FORBIDDEN = new BlockList();
FORBIDDEN.addSubnet('169.254.0.0', 16, 'ipv4');
FORBIDDEN.addSubnet('fe80::', 10, 'ipv6');
// The same IPv4 addresses behind NAT64 (RFC 6052, RFC 8215), in 6to4 (RFC 3056), and as IPv4-compatible ones (RFC 4291).
FORBIDDEN.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
FORBIDDEN.addSubnet('64:ff9b:1::a9fe:0', 112, 'ipv6');
FORBIDDEN.addSubnet('2002:a9fe::', 32, 'ipv6');
FORBIDDEN.addSubnet('::a9fe:0', 112, 'ipv6');
// AWS, Google Cloud, Alibaba Cloud, Azure.
FORBIDDEN.addAddress('fd00:ec2::254', 'ipv6');
FORBIDDEN.addAddress('fd20:ce::254', 'ipv6');
FORBIDDEN.addAddress('100.100.100.200', 'ipv4');
FORBIDDEN.addAddress('168.63.129.16', 'ipv4');

const REASON = 'a link-local or metadata address';

/**
 * Why a connection to this host is not made when a caller or DNS has chosen it; undefined for other addresses, and for names,
 * which {@link guardedLookup} resolves.
 */
export function findForbiddenAddress(host: string): string | undefined {
  return isForbidden(host) ? `${host} is ${REASON}` : undefined;
}

/**
 * Resolves names for a connection, so that what is connected to is what was checked; fails for a name that has a link-local or
 * metadata address among others.
 */
export function guardedLookup(resolve: LookupFunction = lookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const forbidden = addresses?.find(({ address }) => isForbidden(address));
      if (forbidden !== undefined) {
        callback(new Error(`${host} resolves to ${forbidden.address}, ${REASON}`), []);
      } else if (error !== null || options.all) {
        callback(error, addresses);
      } else {
        const [first] = addresses;
        callback(null, first?.address ?? '', first?.family);
      }
    });
  };
}

function isForbidden(host: string): boolean {
  const [address = ''] = host.split('%');
  const version = isIP(address);
  return version !== 0 && FORBIDDEN.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
