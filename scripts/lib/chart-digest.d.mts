/** Changes with whatever the chart in this directory is rendered from. */
export function chartDigest(chart: string, values?: string): string;
