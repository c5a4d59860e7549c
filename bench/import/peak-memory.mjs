import { readFileSync } from 'node:fs';
import process from 'node:process';
import { residentMib } from '../lib/memory.mjs';

const KIB_PER_MIB = 1024;

/**
 * The most resident memory that a process has had so far; where the system does not say, what it has now.
 *
 * @param {number} pid
 * @returns {number | undefined} MiB; undefined when there is no such process any more
 */
export function peakMib(pid) {
  try {
    return process.platform === 'linux' ? fromProc(pid) : residentMib(pid);
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function fromProc(pid) {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kib === undefined ? undefined : Number(kib) / KIB_PER_MIB;
}
