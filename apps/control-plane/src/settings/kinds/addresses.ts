import type { HostPort } from '@palisade/domain';
import { hostPort } from '@palisade/platform';
import { textKind, type Kind } from './kind.js';

const ADDRESS = hostPort('', { description: '' });

export const HOST_PORT: Kind<HostPort> = textKind(
  'host:port, port 1 to 65535; an IPv6 address in brackets',
  '^(\\[[0-9A-Fa-f:.]{2,45}\\]|[A-Za-z0-9._-]{1,253}):\\d{1,5}$',
  parseAddress,
);

/** `host:port` or a URL of HTTP or gRPC, without credentials; the text as given. */
export const ENDPOINT: Kind<string> = textKind(
  'host:port, or a URL of http, https or grpc without credentials',
  undefined,
  (value) => (parseAddress(value) !== undefined || isEndpointUrl(value) ? value : undefined),
);

/** A URL of HTTP, without credentials; the text as given. */
export const HTTP_URL: Kind<string> = textKind('a URL of http or https without credentials', '^https?://', (value) =>
  isEndpointUrl(value) && !value.toLowerCase().startsWith('grpc:') ? value : undefined,
);

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Where the audit trail is exported to. */
export const AUDIT_LOCATION: Kind<URL> = textKind(
  'file:///<absolute path> or s3://<bucket>/<prefix>',
  '^(file:///|s3://)',
  (value) => {
    const url = value.length <= 2048 && !/[\p{Cc}\s\\?#@]/u.test(value) ? URL.parse(value) : null;
    return url !== null && isAuditLocation(url, value) ? url : undefined;
  },
);

function parseAddress(value: string): HostPort | undefined {
  const address = ADDRESS.parse(value);
  return address === undefined || address.port === 0 ? undefined : address;
}

function isEndpointUrl(value: string): boolean {
  const isUrl = value.length <= 2048 && /^(https?|grpc):\/\/[^\s\\/?#@]+(\/[^\s\\?#@]*)?$/i.test(value);
  return isUrl && URL.canParse(value);
}

function isAuditLocation({ protocol, host, pathname }: URL, value: string): boolean {
  if (protocol === 'file:') {
    // URL drops ".." silently: what is written has to be where it leads.
    return value.startsWith('file:///') && pathname.length > 1 && value.slice('file://'.length) === pathname;
  }
  return protocol === 's3:' && BUCKET.test(host) && !host.includes('..') && !/(^|\/)\.{1,2}(\/|$)/.test(value.slice(5));
}
