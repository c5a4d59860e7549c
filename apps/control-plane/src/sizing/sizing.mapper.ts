import { formatMemory } from '../api/format-memory.js';
import type { Size } from './size.js';
import type { SizingResponse } from './sizing.dto.js';

export function toSizingResponse(size: Size): SizingResponse {
  const { tenants, replicas, connections, cpuCores, memoryBytes, isExtrapolated } = size;
  const resources = { cpu: cpuCores, memory: formatMemory(memoryBytes) };
  return { tenants, replicas, connections, resources, extrapolated: isExtrapolated };
}
