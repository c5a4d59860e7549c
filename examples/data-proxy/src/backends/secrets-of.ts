import { TenantSecrets } from '@palisade/isolation';
import type { DataProxyConfig } from '../config/data-proxy.config.js';

/**
 * From which each namespace's own users of backends get their passwords; the control plane derives the same from the same
 * secret. Undefined without a secret, and at the level `none`, where all namespaces share connections and so a user.
 */
export function secretsOf({
  backendSecret,
  settings,
}: Pick<DataProxyConfig, 'backendSecret' | 'settings'>): TenantSecrets | undefined {
  const isShared =
    typeof settings === 'object' &&
    settings !== null &&
    'isolation_level' in settings &&
    settings.isolation_level === 'none';
  return backendSecret === undefined || isShared ? undefined : new TenantSecrets(backendSecret);
}
