import process from 'node:process';
import { renderTable } from './report.mjs';
import { Workspace } from './workspace.mjs';

const VALUE_DIGITS = 3;

/**
 * Measures, and prints the table and its figures as one line of JSON, the last one.
 *
 * @param {string} name of the benchmark
 * @param {(workspace: Workspace) => Promise<import('./finding.mjs').Finding[]>} measure
 */
export async function runBenchmark(name, measure) {
  const workspace = new Workspace();
  workspace.closeOnSignals();
  try {
    const findings = await measure(workspace);
    const results = findings.map(({ key, value }) => [key, Number(Number(value).toFixed(VALUE_DIGITS))]);
    const json = JSON.stringify({ bench: name, results: Object.fromEntries(results) });
    process.stdout.write(`${renderTable(findings)}\n${json}\n`);
  } finally {
    await workspace.close();
  }
}
