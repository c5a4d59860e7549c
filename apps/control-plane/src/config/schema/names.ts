import { matching, textOf } from '@palisade/isolation/settings';
import type { z } from 'zod';

type Text = z.ZodType<string, string>;

/** Labels separated by dots, 253 characters at most; a final dot is dropped. */
export const DNS_NAME: Text = textOf({
  expected: 'a DNS name such as proxies.example.com',
  pattern: /^[A-Za-z0-9_]([A-Za-z0-9._-]{0,252})$/,
  read: readDnsName,
});

/** A column or schema that needs no quotes in SQL. */
export const SQL_IDENTIFIER: Text = matching(
  'a plain SQL identifier: a-z or "_", then up to 62 of a-z, 0-9 and "_"',
  /^[a-z_][a-z0-9_]{0,62}$/,
);

export const SQL_TABLE: Text = matching(
  'a table as schema.table, both plain SQL identifiers',
  /^[a-z_][a-z0-9_]{0,62}\.[a-z_][a-z0-9_]{0,62}$/,
);

/** A label of metrics; labels that begin with two underscores belong to Prometheus itself. */
export const METRIC_LABEL: Text = matching(
  'a label of metrics: a letter or "_", then up to 62 letters, digits and "_", not "__" first',
  /^(?!__)[A-Za-z_][A-Za-z0-9_]{0,62}$/,
);

/** Kubernetes: an optional DNS name and "/", then a name. */
export const KUBERNETES_LABEL: Text = matching(
  'a label of Kubernetes such as prism.io/pool',
  /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/,
  isKubernetesLabel,
);

/** RFC 6335 §5.1, as Kubernetes has it: 15 lower-case letters, digits and hyphens, one letter at least. */
export const PORT_NAME: Text = matching(
  'the name of a port: up to 15 of a-z, 0-9 and inner "-", one letter at least',
  /^[a-z0-9]([a-z0-9-]{0,13}[a-z0-9])?$/,
  (name) => /[a-z]/.test(name),
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

/** An HTTP header that means nothing else; in lower case. */
export const HEADER_NAME: Text = textOf({
  expected: 'the name of an HTTP header of its own: 1 to 64 letters, digits and "-"',
  pattern: /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
  read: (name) => (RESERVED_HEADERS.has(name.toLowerCase()) ? undefined : name.toLowerCase()),
});

/** A label selector of Kubernetes: requirements separated by commas, all of which hold. */
export const LABEL_SELECTOR: Text = textOf({
  expected: 'a label selector of Kubernetes, such as "app=proxy,tier in (a, b)"',
  read: (selector) => (isLabelSelector(selector) ? selector : undefined),
});

const LABEL_VALUE = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;

function isLabelSelector(selector: string): boolean {
  // Commas in brackets do not separate requirements.
  const requirements = selector.split(/,(?![^(]*\))/);
  return (
    selector.length <= 1024 && !/\p{Cc}/u.test(selector) && requirements.every((each) => isRequirement(each.trim()))
  );
}

function isRequirement(text: string): boolean {
  const [, setKey, values] = /^([^\s,()=!]{1,317}) +(?:in|notin) +\(([^()]*)\)$/.exec(text) ?? [];
  if (setKey !== undefined && values !== undefined) {
    return isKubernetesLabel(setKey) && values.split(',').every((each) => LABEL_VALUE.test(each.trim()));
  }
  const [, equalKey, value] = /^([^\s,()=!]{1,317}) *(?:==?|!=) *([^\s,()=!]*)$/.exec(text) ?? [];
  if (equalKey !== undefined && value !== undefined) {
    return isKubernetesLabel(equalKey) && LABEL_VALUE.test(value);
  }
  return isKubernetesLabel(text.replace(/^! */, ''));
}

function isKubernetesLabel(text: string): boolean {
  const [name, prefix, ...more] = text.split('/').toReversed();
  const isName = name !== undefined && /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(name);
  return isName && more.length === 0 && (prefix === undefined || readDnsName(prefix) !== undefined);
}

function readDnsName(text: string): string | undefined {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const isName =
    name.length <= 253 && name.split('.').every((label) => /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d])?$/i.test(label));
  return isName ? name.toLowerCase() : undefined;
}
