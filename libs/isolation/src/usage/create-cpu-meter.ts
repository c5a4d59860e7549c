import { NO_CPU_METER, type CpuMeter } from './cpu-meter.js';
import { SampledCpuMeter, type CpuListener } from './sampled-cpu-meter.js';
import { ThreadProfiler } from './thread-profiler.js';
import type { UsageSettings } from './usage-settings.js';

/**
 * What measures CPU time, if it is to be measured. The profiler is neither loaded nor started otherwise.
 *
 * @throws {CpuUsageUnavailableError}
 */
export async function createCpuMeter({ measuresCpu }: UsageSettings, listener: CpuListener): Promise<CpuMeter> {
  return measuresCpu ? new SampledCpuMeter(await ThreadProfiler.load(), listener) : NO_CPU_METER;
}
