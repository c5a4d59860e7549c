import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const KIB_PER_MIB = 1024;

/** Resident memory of a process. @param {number} pid @returns {number} MiB */
export function residentMib(pid) {
  const kib = process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  return Number(kib) / KIB_PER_MIB;
}

/** @param {number} pid */
function fromProc(pid) {
  return /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
}

/** @param {number} pid */
function fromPs(pid) {
  return execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}
