import { isMet } from './finding.mjs';

const VALUE_DIGITS = 3;
const HEADER = ['measure', 'ours', 'beside', 'value', 'target', 'met'];

/** @param {readonly import('./finding.mjs').Finding[]} findings */
export function renderTable(findings) {
  const rows = [HEADER, ...findings.map(toCells)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
  return [lines[0], widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1)].join('\n');
}

/** The last line of the output. @param {readonly import('./finding.mjs').Finding[]} findings */
export function renderResults(findings) {
  const results = findings.map(({ key, value }) => [key, value === null ? null : rounded(value)]);
  return JSON.stringify({ bench: 'scim', results: Object.fromEntries(results) });
}

/** @param {import('./finding.mjs').Finding} finding */
function toCells(finding) {
  const { name, ours, beside, value, unit, target } = finding;
  return [name, ours, beside, formatValue(value, unit), formatTarget(target, unit), formatMet(finding)];
}

/** @param {number | null} value @param {string | undefined} unit */
function formatValue(value, unit) {
  if (value === null) {
    return 'not measured';
  }
  return unit === undefined ? `${value.toFixed(2)}x` : `${rounded(value)} ${unit}`;
}

/** @param {import('./finding.mjs').Target | undefined} target @param {string | undefined} unit */
function formatTarget(target, unit) {
  if (target === undefined) {
    return '';
  }
  const [sign, bound] = 'atLeast' in target ? ['>=', target.atLeast] : ['<=', target.atMost];
  return unit === undefined ? `${sign} ${bound}x` : `${sign} ${bound} ${unit}`;
}

/** @param {import('./finding.mjs').Finding} finding */
function formatMet(finding) {
  const met = isMet(finding);
  return met === undefined ? '' : { true: 'yes', false: 'NO' }[String(met)];
}

/** @param {number} value */
function rounded(value) {
  return Number(value.toFixed(VALUE_DIGITS));
}
