import { isObject, type NamespaceId } from '@palisade/domain';
import { TenantSecrets } from '@palisade/isolation';
import type { JsonLogger } from '@palisade/platform';
import type { DataProxyConfig } from '../data-proxy.config.js';

/** What each backend is opened with. */
export interface BackendOptions {
  readonly config: DataProxyConfig;
  /** The namespaces that provisioning creates users and topics for. */
  readonly namespaces: readonly NamespaceId[];
  readonly logger: JsonLogger;
}

/**
 * The passwords of the tenants' own backend users, derived from one secret; the control plane derives the same ones.
 * Undefined without a secret, and at the level `none`, where all namespaces share connections and therefore a user.
 */
export function secretsOf({
  backendSecret,
  settings,
}: Pick<DataProxyConfig, 'backendSecret' | 'settings'>): TenantSecrets | undefined {
  const isShared = isObject(settings) && settings['isolation_level'] === 'none';
  return backendSecret === undefined || isShared ? undefined : new TenantSecrets(backendSecret);
}
