import type { LoadBalancerSettings } from '../config/control-plane-settings.js';
import { HostAddresses } from './host-addresses.js';
import { ConfigurationChange } from './configuration-change.js';
import { ConfigurationFiles } from './files/configuration-files.js';
import { EnvoyDriver } from './envoy/envoy.driver.js';
import { HaproxyDriver } from './haproxy/haproxy.driver.js';
import { LoadBalancer } from './load-balancer.js';
import { type LoadBalancerDriver, TracedDriver } from './load-balancer-driver.js';
import { NginxDriver } from './nginx/nginx.driver.js';

export interface LoadBalancerParts {
  readonly files?: ConfigurationFiles;
  readonly addresses?: HostAddresses;
  /** Called with an explanation when a change at runtime failed and a reload takes its place. */
  readonly onFallback?: (what: string) => void;
}

/** The load balancer that the settings name. */
export function createLoadBalancer(settings: LoadBalancerSettings, parts: LoadBalancerParts = {}): LoadBalancer {
  const files = parts.files ?? new ConfigurationFiles(settings.configPath);
  const change = new ConfigurationChange(new TracedDriver(createDriver(settings)), files, parts.onFallback);
  return new LoadBalancer(change, parts.addresses ?? new HostAddresses(), settings);
}

function createDriver(settings: LoadBalancerSettings): LoadBalancerDriver {
  switch (settings.type) {
    case 'haproxy':
      return new HaproxyDriver(settings);
    case 'nginx':
      return new NginxDriver(settings);
    case 'envoy':
      return new EnvoyDriver(settings);
  }
}
