import type { Dashboard } from './dashboards.js';
import type { Prometheus } from './prometheus.js';

/** What a variable stands for when `All` is chosen. */
export interface VariableValue {
  /** What one can choose from. */
  readonly choices: readonly string[];
  readonly all: string;
}

export type VariableValues = ReadonlyMap<string, VariableValue>;

/** What Grafana puts in by itself. The interval holds everything since the start. */
const BUILT_IN: Readonly<Record<string, string>> = { __rate_interval: '5m' };

const LABEL_VALUES = /^label_values\((.+), (\w+)\)$/;

/** The variables of a dashboard that ask Prometheus, in order, each with `All` for those before it. */
export async function valuesOfVariables({ templating }: Dashboard, prometheus: Prometheus): Promise<VariableValues> {
  const values = new Map<string, VariableValue>();
  for (const { name, query, allValue } of templating.list) {
    if (typeof query === 'object') {
      const [, selector = '', label = ''] = LABEL_VALUES.exec(query.query) ?? [];
      const choices = await prometheus.labelValues(label, substitute(selector, values));
      values.set(name, { choices, all: allValue ?? `(${choices.map(escapeForRegex).join('|')})` });
    }
  }
  return values;
}

/** What Grafana sends when `All` is chosen everywhere. @throws {TypeError} when a variable is not known */
export function substitute(expression: string, values: VariableValues): string {
  return expression.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const text = BUILT_IN[name] ?? values.get(name)?.all;
    if (text === undefined) {
      throw new TypeError(`$${name} is no variable: ${expression}`);
    }
    return text;
  });
}

/** As Grafana does, twice: for the regular expression, and for the string that it is in. */
function escapeForRegex(value: string): string {
  return value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\\$&`);
}
