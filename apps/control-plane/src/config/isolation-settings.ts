import type { IsolationLevel, JsonObject } from '@palisade/domain';
import { z } from 'zod';
import { ISOLATION_SECTIONS, type ControlPlaneFile } from './schema/control-plane-file.js';

type Isolation = Pick<ControlPlaneFile, 'connectionPools' | 'resourceLimits' | 'sessionManagement' | 'usage' | 'audit'>;

/** Whether the file has proxies measure CPU time: it says so, or limits CPU time. */
export function measuresCpu({ usage, resourceLimits }: Pick<Isolation, 'usage' | 'resourceLimits'>): boolean {
  const limits = [resourceLimits?.perNamespace, ...(resourceLimits?.namespaces?.values() ?? [])];
  return usage?.measuresCpu ?? limits.some((each) => each?.cores !== undefined);
}

/**
 * What the file says to proxies of one isolation level, as `parseIsolationSettings` takes it. What it only states of
 * levels is left out, as the pools of one file may have several.
 */
export function isolationSettingsFor(level: IsolationLevel, file: Isolation): JsonObject {
  const { connectionPools, resourceLimits, sessionManagement, usage, audit } = file;
  const sections = { connectionPools, resourceLimits, sessionManagement, usage, audit };
  const { connection_pools: pools = {}, ...others } = z.encode(ISOLATION_SECTIONS, sections) as JsonObject;
  const { per_namespace: _, ...backends } = pools as Readonly<Record<string, JsonObject>>;
  return {
    isolation_level: level,
    connection_pools: Object.fromEntries(
      Object.entries(backends).map(([name, { shared: _shared, ...backend }]) => [name, backend]),
    ),
    ...others,
  };
}
