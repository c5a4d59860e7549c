import type { LoadBalancerSettings } from '../../config/control-plane-settings.js';
import { printPool } from '../rendering/printed-values.js';

/** Of the listener, and of its table of routes. */
export const LISTENER = 'palisade';

export function clusterOf(pool: string): string {
  return `palisade-pool-${printPool(pool)}`;
}

/** Where Envoy is administered. */
export function adminSocketOf({ configPath }: LoadBalancerSettings): string {
  return `${stemOf(configPath)}.admin.sock`;
}

/** The files that Envoy watches, by what is in them. */
export interface EnvoyPaths {
  readonly clusters: string;
  readonly listeners: string;
  readonly routes: string;
}

export function envoyPathsBeside(configPath: string): EnvoyPaths {
  const stem = stemOf(configPath);
  return {
    clusters: `${stem}.clusters.json`,
    listeners: `${stem}.listeners.json`,
    routes: `${stem}.routes.json`,
  };
}

function stemOf(configPath: string): string {
  return configPath.replace(/\.[A-Za-z]+$/, '');
}
