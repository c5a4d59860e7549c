import type { Registry } from 'prom-client';
import { CollectedMetrics } from '../usage/collected-metrics.js';
import type { AccessDecisions } from './access-decisions.js';
import type { GovernedProxy } from './governed-proxy.js';

/** Adds what a proxy is governed by to a registry, and what it knows of access when the control plane decides that. */
export function registerGovernanceMetrics(registry: Registry, proxy: GovernedProxy, access?: AccessDecisions): void {
  const metrics = new CollectedMetrics(registry);
  const value = (name: string, help: string, read: () => number): void =>
    metrics.gauge(name, help, [], () => [[{}, read()]]);
  value(
    'isolation_policy_revision',
    'Revision of the policy in force; 0 without one.',
    () => proxy.snapshot().revision ?? 0,
  );
  metrics.gauge('isolation_policy_source', '1 for where the policy in force came from.', ['source'], () => [
    [{ source: proxy.snapshot().source }, 1],
  ]);
  value('isolation_policy_rejected', '1 while a newer policy could not be applied.', () =>
    Number(proxy.snapshot().rejected !== undefined),
  );
  value(
    'isolation_control_plane_age_seconds',
    'How long ago the control plane was last heard of.',
    () => proxy.snapshot().age_seconds,
  );
  value('isolation_control_plane_connected', '1 while the policy stream is open.', () =>
    Number(proxy.snapshot().isConnected),
  );
  if (access !== undefined) {
    metrics.counter('isolation_access_decisions_total', 'Whether users had access.', ['result'], () =>
      Object.entries(access.snapshot().decisions).map(([result, count]) => [{ result }, count]),
    );
    value('isolation_access_known', 'Answers about access that are kept.', () => access.snapshot().known);
    value('isolation_access_cut_off', '1 while no users are served because nobody confirms their access.', () =>
      Number(access.snapshot().cutOffSeconds !== undefined),
    );
  }
}
