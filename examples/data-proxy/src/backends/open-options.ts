import type { NamespaceId } from '@palisade/domain';
import type { JsonLogger } from '@palisade/platform';
import type { DataProxyConfig } from '../config/data-proxy.config.js';

/** What each backend is opened with. */
export interface OpenOptions {
  readonly config: DataProxyConfig;
  /** Those whose users and topics provisioning makes. */
  readonly namespaces: readonly NamespaceId[];
  readonly logger: JsonLogger;
}
