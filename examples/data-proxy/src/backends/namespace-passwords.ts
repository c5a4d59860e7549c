import { createHmac } from 'node:crypto';
import type { NamespaceId } from '@palisade/domain';
import type { DataProxyConfig } from '../config/data-proxy.config.js';

type Secrets = Pick<DataProxyConfig, 'backendSecret' | 'settings'>;

/** Of each namespace's own user of a backend: derived from one secret, so that there is nothing else to keep. */
export class NamespacePasswords {
  private constructor(
    private readonly secret: string,
    private readonly backend: 'redis' | 'kafka',
  ) {}

  /** Undefined without a secret, and at the level `none`, where all namespaces share connections and so a user. */
  static from({ backendSecret, settings }: Secrets, backend: 'redis' | 'kafka'): NamespacePasswords | undefined {
    const isShared =
      typeof settings === 'object' &&
      settings !== null &&
      'isolation_level' in settings &&
      settings.isolation_level === 'none';
    return backendSecret === undefined || isShared ? undefined : new NamespacePasswords(backendSecret, backend);
  }

  of(namespace: NamespaceId): string {
    return createHmac('sha256', this.secret).update(`${this.backend}\n${namespace}`).digest('base64url');
  }
}
