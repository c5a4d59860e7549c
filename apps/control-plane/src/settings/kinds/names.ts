import {
  InvalidIdentifierError,
  parseNamespaceId,
  parseNamespacePattern,
  parsePoolName,
  parseTenantId,
  type NamespaceId,
  type NamespacePattern,
  type PoolName,
  type TenantId,
} from '@palisade/domain';
import { textKind, type Kind } from './kind.js';

const LABEL = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$';
const LABEL_TEXT = '1 to 63 of a-z, 0-9 and inner "-"';

export const TENANT_ID: Kind<TenantId> = identifier(`a tenant id: ${LABEL_TEXT}`, LABEL, parseTenantId);
export const POOL_NAME: Kind<PoolName> = identifier(`the name of a pool: ${LABEL_TEXT}`, LABEL, parsePoolName);
export const NAMESPACE: Kind<NamespaceId> = identifier(`a namespace: ${LABEL_TEXT}`, LABEL, parseNamespaceId);
export const NAMESPACE_PATTERN: Kind<NamespacePattern> = identifier(
  'a namespace or pattern: 1 to 63 of a-z, 0-9, inner "-", "*" for any characters and "?" for one',
  '^[a-z0-9*?]([-a-z0-9*?]{0,61}[a-z0-9*?])?$',
  parseNamespacePattern,
);

/** Labels with dots between, of 253 characters at most; a final dot is dropped. */
export const DNS_NAME: Kind<string> = textKind(
  'a DNS name such as proxies.example.com',
  '^[A-Za-z0-9_]([A-Za-z0-9._-]{0,252})$',
  parseDnsName,
);

/** A column or schema that needs no quotes in SQL. */
export const SQL_IDENTIFIER: Kind<string> = textKind(
  'a plain SQL identifier: a-z or "_", then up to 62 of a-z, 0-9 and "_"',
  '^[a-z_][a-z0-9_]{0,62}$',
  (value) => (/^[a-z_][a-z0-9_]{0,62}$/.test(value) ? value : undefined),
);

export const SQL_TABLE: Kind<string> = textKind(
  'a table as schema.table, both plain SQL identifiers',
  '^[a-z_][a-z0-9_]{0,62}\\.[a-z_][a-z0-9_]{0,62}$',
  (value) => (/^[a-z_][a-z0-9_]{0,62}\.[a-z_][a-z0-9_]{0,62}$/.test(value) ? value : undefined),
);

/** A label of metrics; those that begin with two underscores belong to Prometheus itself. */
export const METRIC_LABEL: Kind<string> = textKind(
  'a label of metrics: a letter or "_", then up to 62 letters, digits and "_", not "__" first',
  '^(?!__)[A-Za-z_][A-Za-z0-9_]{0,62}$',
  (value) => (/^(?!__)[A-Za-z_]\w{0,62}$/.test(value) ? value : undefined),
);

/** Kubernetes: an optional DNS name and "/", then a name. */
export const KUBERNETES_LABEL: Kind<string> = textKind(
  'a label of Kubernetes such as prism.io/pool',
  '^([a-z0-9.-]{1,253}/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$',
  (value) => (isKubernetesLabel(value) ? value : undefined),
);

/** RFC 6335 §5.1, as Kubernetes has it: 15 lower-case letters, digits and hyphens, one letter at least. */
export const PORT_NAME: Kind<string> = textKind(
  'the name of a port: up to 15 of a-z, 0-9 and inner "-", one letter at least',
  '^[a-z0-9]([a-z0-9-]{0,13}[a-z0-9])?$',
  (value) => (/^[a-z0-9]([a-z0-9-]{0,13}[a-z0-9])?$/.test(value) && /[a-z]/.test(value) ? value : undefined),
);

const RESERVED_HEADERS = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** A header of HTTP that means nothing else; in lower case. */
export const HEADER_NAME: Kind<string> = textKind(
  'the name of an HTTP header of its own: 1 to 64 letters, digits and "-"',
  '^[A-Za-z][A-Za-z0-9-]{0,63}$',
  (value) =>
    /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(value) && !RESERVED_HEADERS.has(value.toLowerCase())
      ? value.toLowerCase()
      : undefined,
);

export function isKubernetesLabel(text: string): boolean {
  const [name, prefix, ...more] = text.split('/').toReversed();
  const isName = name !== undefined && /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(name);
  return isName && more.length === 0 && (prefix === undefined || parseDnsName(prefix) !== undefined);
}

function parseDnsName(text: string): string | undefined {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const isName =
    name.length <= 253 && name.split('.').every((label) => /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d])?$/i.test(label));
  return isName ? name.toLowerCase() : undefined;
}

function identifier<T>(expected: string, pattern: string, parse: (text: string) => T): Kind<T> {
  return textKind(expected, pattern, (value) => {
    try {
      return parse(value);
    } catch (error) {
      if (error instanceof InvalidIdentifierError) {
        return undefined;
      }
      throw error;
    }
  });
}
