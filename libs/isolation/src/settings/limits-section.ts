import { limitsCpu, type NamespaceResources, type ResourceLimits } from '../limits/resource-limits.js';
import type { UsageSettings } from '../usage/usage-registry.js';
import { readNamespaces } from './namespaces-section.js';
import type { SettingsReader } from './settings-reader.js';

const DEFAULT_CPU_WINDOW_MS = 10_000;
const DEFAULT_MAX_NAMESPACES = 10_000;

/** `resource_limits`. */
export function readResourceLimits(section: SettingsReader | undefined): ResourceLimits {
  const perNamespace = section?.section('per_namespace');
  const limits = {
    perNamespace: perNamespace === undefined ? {} : readResources(perNamespace),
    cpuWindowMs: section?.duration('cpu_window') ?? DEFAULT_CPU_WINDOW_MS,
    namespaces: readNamespaces(section?.section('namespaces'), readResources),
  };
  if (limits.cpuWindowMs < 1000) {
    section?.report('cpu_window', 'expected at least 1s, as CPU time is told once a second');
  }
  section?.finish();
  return limits;
}

/** `usage`. Without it CPU time is told when it is limited, and only then. */
export function readUsage(section: SettingsReader | undefined, limits: ResourceLimits): UsageSettings {
  const isCpuLimited = limitsCpu(limits);
  const settings = {
    measuresCpu: section?.boolean('cpu') ?? isCpuLimited,
    maxNamespaces: section?.integer('max_namespaces', { min: 1, max: 1_000_000 }) ?? DEFAULT_MAX_NAMESPACES,
  };
  if (isCpuLimited && !settings.measuresCpu) {
    section?.report('cpu', 'expected true, as resource_limits limits CPU time');
  }
  section?.finish();
  return settings;
}

function readResources(section: SettingsReader): NamespaceResources {
  const resources = {
    maxRps: section.integer('max_rps', { min: 1, max: 1_000_000 }),
    cores: section.cores('cpu'),
    bytes: section.bytes('memory'),
  };
  section.finish();
  return resources;
}
