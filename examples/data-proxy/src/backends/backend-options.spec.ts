import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { TenantSecrets } from '@palisade/isolation';
import { secretsOf } from './backend-options.js';
import { ownTenant } from '@palisade/isolation';

const SECRET = 'a secret of at least 32 characters';
const ACME = parseNamespaceId('acme');

describe(secretsOf.name, () => {
  it('derives what the control plane does from the same secret', () => {
    const secrets = secretsOf({ backendSecret: SECRET, settings: { isolation_level: 'namespace' } });
    expect(secrets?.passwordOf('redis', ownTenant(ACME))).toBe(
      new TenantSecrets(SECRET).passwordOf('redis', ownTenant(ACME)),
    );
  });

  it('gives nothing without a secret', () => {
    expect(secretsOf({ backendSecret: undefined, settings: { isolation_level: 'namespace' } })).toBeUndefined();
  });

  it('gives nothing where all namespaces share connections', () => {
    expect(secretsOf({ backendSecret: SECRET, settings: { isolation_level: 'none' } })).toBeUndefined();
  });
});
