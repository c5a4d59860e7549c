import { completePoolSettings } from '../pools/pool-options.js';
import { findPoolProblems } from '../pools/pool-problems.js';
import type { NamespaceLimits, PoolSettings, PoolSettingsInput } from '../pools/pool-settings.js';
import { readNamespaces } from './namespaces-section.js';
import type { SettingsReader } from './settings-reader.js';

/** The keys of settings that can be wrong together. */
const KEYS: Partial<Record<keyof PoolSettings, string>> = {
  maxPerNamespace: 'connections_per_namespace',
  maxNamespaces: 'max_namespaces',
  namespaces: 'namespaces',
};

/** `connection_pools.<backend>` at level `none`: one pool for all. */
export function readSharedPool(section: SettingsReader): PoolSettingsInput | undefined {
  section.require('max_connections');
  const maxTotal = section.integer('max_connections', { min: 1 });
  if (section.boolean('shared') === false) {
    section.report('shared', 'expected true, as isolation_level none shares the pool');
  }
  const settings = { ...readQueueing(section), maxTotal: maxTotal ?? 1 };
  section.finish();
  return maxTotal === undefined ? undefined : settings;
}

/** `connection_pools.<backend>` at level `namespace`: a pool for each namespace under one cap. */
export function readNamespacePools(section: SettingsReader): PoolSettingsInput | undefined {
  for (const key of ['connections_per_namespace', 'max_total_connections']) {
    section.require(key);
  }
  const maxTotal = section.integer('max_total_connections', { min: 1 });
  const settings = {
    maxPerNamespace: section.integer('connections_per_namespace', { min: 1 }),
    maxNamespaces: section.integer('max_namespaces', { min: 1 }),
    namespaces: readNamespaces(section.section('namespaces'), readLimits),
    ...readQueueing(section),
  };
  section.finish();
  if (maxTotal === undefined) {
    return undefined;
  }
  reportContradictions(section, { ...settings, maxTotal });
  return { ...settings, maxTotal };
}

function readQueueing(section: SettingsReader): Partial<PoolSettings> {
  return {
    maxQueued: section.integer('max_queued', { min: 0 }),
    acquireTimeoutMs: section.duration('acquire_timeout'),
    connectTimeoutMs: section.duration('connect_timeout'),
    idleTimeoutMs: section.duration('idle_timeout'),
    maxLifetimeMs: section.duration('max_lifetime'),
  };
}

function readLimits(section: SettingsReader): Partial<NamespaceLimits> {
  const limits = {
    max: section.integer('connections_per_namespace', { min: 1 }),
    reserved: section.integer('reserved_connections', { min: 0 }),
    weight: section.integer('weight', { min: 1, max: 1000 }),
  };
  section.finish();
  return limits;
}

function reportContradictions(section: SettingsReader, settings: PoolSettingsInput): void {
  for (const { setting, namespace, text } of findPoolProblems(completePoolSettings(settings))) {
    const key = KEYS[setting] ?? setting;
    section.report(namespace === undefined ? key : `${key}.${namespace}`, text);
  }
}
