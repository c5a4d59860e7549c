const UNITS = [
  ['Gi', 2 ** 30],
  ['Mi', 2 ** 20],
  ['Ki', 2 ** 10],
] as const;

/** As Kubernetes writes it: `4Gi`, `512Mi`, or plain bytes. */
export function formatMemory(bytes: number): string {
  const [suffix, unit] = UNITS.find(([, size]) => bytes > 0 && bytes % size === 0) ?? ['', 1];
  return `${bytes / unit}${suffix}`;
}
