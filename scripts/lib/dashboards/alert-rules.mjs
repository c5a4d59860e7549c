import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../run.mjs';

const FILE = join(ROOT, 'deploy/prometheus/alerts.yaml');
const COLORS = { warning: 'orange', critical: 'red' };

/** What a rule compares with, first of all: whatever follows only says where it applies. */
function comparisonOf({ alert, expr }) {
  const [, operator, value] = /\s(==|>)\s+([\d.]+)/.exec(expr) ?? [];
  if (operator === undefined) {
    throw new Error(`deploy/prometheus/alerts.yaml: expected == or > and a number in ${alert}`);
  }
  return { operator, value: Number(value) };
}

/** The alert rules by name: `severity`, `color`, `operator`, `value` and `description`. */
export function readAlertRules() {
  const { groups } = parse(readFileSync(FILE, 'utf8'));
  const rules = groups.flatMap(({ rules }) => rules);
  return new Map(
    rules.map((rule) => {
      const { severity } = rule.labels;
      const { description } = rule.annotations;
      return [rule.alert, { severity, color: COLORS[severity], description, ...comparisonOf(rule) }];
    }),
  );
}

const RULES = readAlertRules();

function ruleOf(name) {
  const rule = RULES.get(name);
  if (rule === undefined) {
    throw new Error(`deploy/prometheus/alerts.yaml has no alert ${name}`);
  }
  return rule;
}

/**
 * The steps at which a panel takes the color of the alerts: where they begin to hold. What is counted in whole numbers is
 * more than 1 at 2: `granularity` is 1 then.
 */
export function stepsOf(names, granularity = 0) {
  const rules = names.map(ruleOf);
  const atZero = rules.find(({ operator, value }) => operator === '==' && value === 0);
  const above = rules
    .filter((rule) => rule !== atZero)
    .map(({ operator, value, color }) => ({ color, value: operator === '>' ? value + granularity : value }));
  const base = atZero === undefined ? [] : [{ color: 'green', value: 1 }];
  return [{ color: atZero?.color ?? 'green', value: null }, ...base, ...above].toSorted(
    (a, b) => (a.value ?? -Infinity) - (b.value ?? -Infinity),
  );
}

/** Lines for a panel's description that say which alerts watch the same. */
export function describeAlerts(names) {
  return names.map((name) => `Alert ${name} (${ruleOf(name).severity}): ${ruleOf(name).description}`);
}
