import {
  AccessDecisions,
  GovernedProxy,
  NoPolicyError,
  type ControlPlaneOptions,
  tokenFromFile,
} from '@palisade/isolation';
import { PRODUCT_VERSION, type ReadinessCheck } from '@palisade/platform';
import { join } from 'node:path';
import { decidesAccess, type DataProxyConfig } from './data-proxy.config.js';

/** Undefined when the proxy runs alone. */
export function controlPlaneOf(config: DataProxyConfig): ControlPlaneOptions | undefined {
  const { controlUrls: urls, controlToken, controlTokenFile, proxyId, proxyPool, advertise, listen } = config;
  if (urls === undefined || controlToken === undefined) {
    return undefined;
  }
  return {
    urls,
    token: controlTokenFile === undefined ? controlToken : tokenFromFile(controlTokenFile),
    proxy: { id: proxyId, pool: proxyPool, ...(advertise ?? listen) },
    copyFile: join(config.dataDirectory, `policy-${encodeURIComponent(proxyId)}.json`),
    decidesAccess: decidesAccess(config),
    accessLeaseMs: config.accessLeaseMs,
    version: PRODUCT_VERSION,
  };
}

/** What operators are told about being governed; the app has the parts only when it is made. */
export class GovernanceHealth {
  proxy: GovernedProxy | undefined;
  access: AccessDecisions | undefined;

  /** @throws {NoPolicyError} while nothing can be served */
  readonly check: ReadinessCheck = async () => {
    if (this.proxy?.snapshot().source === 'none') {
      throw new NoPolicyError();
    }
  };

  notices(): Readonly<Record<string, string>> {
    if (this.proxy === undefined) {
      return {};
    }
    const { revision, source, age_seconds: age, rejected, isConnected } = this.proxy.snapshot();
    const cutOffSeconds = this.access?.snapshot().cutOffSeconds;
    return {
      policy: `revision ${revision ?? 'none'} (${source}), control plane last heard of ${Math.round(age)} s ago`,
      ...(!isConnected && { control_plane: 'not connected' }),
      ...(rejected && { policy_rejected: `revision ${rejected.revision}: ${rejected.reason}` }),
      ...(cutOffSeconds !== undefined && {
        access: `not confirmed for ${Math.round(cutOffSeconds)} s: no users are served`,
      }),
    };
  }
}
