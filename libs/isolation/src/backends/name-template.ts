import type { NamespaceId } from '@palisade/domain';
import { InvalidSettingsError } from '../invalid-settings.error.js';

const TENANT = '{tenant_id}';

/** How a backend's names say whose they are. What a tenant calls something comes last, so that it can hold anything. */
export interface NameTemplate {
  /** The backend's name for what the tenant calls `name`. It is not validated: the backend's client does that first. */
  apply(tenant: NamespaceId, name: string): string;

  /** What the backend's names of everything that is the tenant's begin with, and those of nobody else. */
  prefix(tenant: NamespaceId): string;

  /** What the tenant calls it; undefined when it is not the tenant's. */
  strip(tenant: NamespaceId, backendName: string): string | undefined;
}

/**
 * Reads a template such as `tenant:{tenant_id}:{key}`, where `placeholder` is `key`. A character that cannot occur in a
 * tenant's id has to follow that id: otherwise what belongs to `acme2` would begin like what belongs to `acme`.
 *
 * @throws {InvalidSettingsError}
 */
export function parseNameTemplate(format: string, placeholder: string): NameTemplate {
  const name = `{${placeholder}}`;
  const [before = '', between = '', ...others] = format.slice(0, -name.length).split(TENANT);
  const isComplete = format.endsWith(name) && format.includes(TENANT) && others.length === 0;
  if (!isComplete || /[{}]/.test(before + between)) {
    throw invalid(format, `${TENANT} once, then ${name} once, at the end`);
  }
  if (!/^[\x21-\x7e]{1,200}$/.test(format)) {
    throw invalid(format, 'at most 200 characters, printable ones of ASCII and no spaces');
  }
  if (!/^[^a-z0-9-]/.test(between)) {
    throw invalid(format, `a character other than a-z, 0-9 and "-" after ${TENANT}`);
  }
  const prefix = (tenant: NamespaceId): string => `${before}${tenant}${between}`;
  return {
    prefix,
    apply: (tenant, own) => `${prefix(tenant)}${own}`,
    strip: (tenant, backendName) => {
      const start = prefix(tenant);
      return backendName.startsWith(start) ? backendName.slice(start.length) : undefined;
    },
  };
}

function invalid(format: string, expected: string): InvalidSettingsError {
  return new InvalidSettingsError([`name template ${JSON.stringify(format.slice(0, 200))}: expected ${expected}`]);
}
