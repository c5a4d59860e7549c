import { existsSync } from 'node:fs';
import { requireBinary } from '../../../../test/support/test-services.js';
import type { LoadBalancerSettings } from '../../src/config/control-plane-settings.js';
import { BalancerUnderTest, type BalancerOptions } from './load-balancer/balancer-under-test.js';
import { until } from '../../../../test/support/until.js';

/** A HAProxy that has nothing but what a control plane writes for it. Not running yet. */
export function prepareHaproxy(settings?: BalancerOptions['settings']): Promise<BalancerUnderTest> {
  return BalancerUnderTest.prepare({ type: 'haproxy', binary: requireBinary('haproxy'), settings });
}

/** Starts it as soon as a control plane has written its first configuration. */
export async function runWhenConfigured(haproxy: BalancerUnderTest): Promise<void> {
  await until(() => existsSync(haproxy.settings.configPath));
  await haproxy.run();
}

/** What a configuration file says of it. */
export function loadBalancerSection(settings: LoadBalancerSettings): Record<string, unknown> {
  return {
    type: settings.type,
    config_path: settings.configPath,
    bind: `${settings.bind.host}:${settings.bind.port}`,
    binary: settings.binary,
    certificate_file: settings.certificateFile,
    master_socket: settings.masterSocket,
    runtime_socket: settings.runtimeSocket,
    coalesce: `${settings.coalesceMs}ms`,
    command_timeout: `${settings.commandTimeoutMs}ms`,
    drift_interval: `${settings.driftIntervalMs}ms`,
  };
}
