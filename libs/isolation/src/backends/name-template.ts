import type { TenantId } from '@palisade/domain';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import type { TenantNamespace } from '../tenant-namespace.js';

const TENANT = '{tenant_id}';
const NAMESPACE = '{namespace}';

/** How a backend's names say whose they are. What a namespace calls something comes last, so that it can hold anything. */
export interface NameTemplate {
  /** The backend's name for what the namespace calls `name`. It is not validated: the backend's client does that first. */
  apply(owner: TenantNamespace, name: string): string;

  /** What the backend's names of everything that is the namespace's begin with, and those of nobody else. */
  prefix(owner: TenantNamespace): string;

  /** What the backend's names of all namespaces of a tenant begin with, and those of no other tenant. */
  tenantPrefix(tenantId: TenantId): string;

  /** What the namespace calls it; undefined when it is not the namespace's. */
  strip(owner: TenantNamespace, backendName: string): string | undefined;
}

/**
 * Reads a template such as `tenant:{tenant_id}:{namespace}:{key}`, where `placeholder` is `key`. Without `{namespace}`, that
 * stands before the placeholder, followed by the character that follows `{tenant_id}`.
 *
 * Tenant and namespace are labels, and a character that cannot occur in a label has to follow each. So no two namespaces have
 * names in common, whatever is put after the prefix: otherwise what belongs to `acme2` would begin like what belongs to `acme`.
 *
 * @throws {InvalidSettingsError}
 */
export function parseNameTemplate(format: string, placeholder: string): NameTemplate {
  const name = `{${placeholder}}`;
  const complete = completeFormat(format, name);
  const [beforeTenant = '', afterTenant = '', ...otherTenants] = complete.slice(0, -name.length).split(TENANT);
  const [between = '', afterNamespace = '', ...otherNamespaces] = afterTenant.split(NAMESPACE);
  const isComplete =
    complete.endsWith(name) && complete.includes(TENANT) && otherTenants.length + otherNamespaces.length === 0;
  if (!isComplete || /[{}]/.test(beforeTenant + between + afterNamespace)) {
    throw invalid(format, `${TENANT} once, then ${NAMESPACE} at most once, then ${name} once, at the end`);
  }
  if (!/^[\x21-\x7e]{1,200}$/.test(format)) {
    throw invalid(format, 'at most 200 characters, printable ones of ASCII and no spaces');
  }
  if (![between, afterNamespace].every((text) => /^[^a-z0-9-]/.test(text))) {
    throw invalid(format, `a character other than a-z, 0-9 and "-" after ${TENANT} and ${NAMESPACE}`);
  }
  const tenantPrefix = (tenantId: TenantId): string => `${beforeTenant}${tenantId}${between}`;
  const prefix = ({ tenantId, namespace }: TenantNamespace): string =>
    `${tenantPrefix(tenantId)}${namespace}${afterNamespace}`;
  return {
    tenantPrefix,
    prefix,
    apply: (owner, own) => `${prefix(owner)}${own}`,
    strip: (owner, backendName) => {
      const start = prefix(owner);
      return backendName.startsWith(start) ? backendName.slice(start.length) : undefined;
    },
  };
}

/** The format with its namespace, wherever that was left out. */
export function completeFormat(format: string, name: string): string {
  if (format.includes(NAMESPACE) || !format.endsWith(name)) {
    return format;
  }
  const [, delimiter = ''] = /\{tenant_id\}([^{}])/.exec(format) ?? [];
  return `${format.slice(0, -name.length)}${NAMESPACE}${delimiter}${name}`;
}

function invalid(format: string, expected: string): InvalidSettingsError {
  return new InvalidSettingsError([`name template ${JSON.stringify(format.slice(0, 200))}: expected ${expected}`]);
}
