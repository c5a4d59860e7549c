import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from './support/until.js';
import { panelsOf, readDashboards, type Dashboard, type Panel, type Target } from './support/monitoring/dashboards.js';
import { substitute, valuesOfVariables, type VariableValues } from './support/monitoring/grafana-variables.js';
import { drive } from './support/monitoring/monitored-traffic.js';
import { startMonitoredWorld, type MonitoredWorld } from './support/monitoring/monitored-world.js';
import type { Labels, Series } from './support/monitoring/prometheus.js';
import { familyOf, groupingsOf, selectorsOf } from './support/monitoring/promql.js';

const TIME_LIMIT_MS = 120_000;

const OUR_METRICS = /^(?:http|provider|store|control_plane|kubernetes|isolation)_/;
const RATED_TYPES = new Set(['counter', 'histogram', 'summary']);
/** Of Prometheus itself, which has it only while an alert is pending or fires. */
const ALERTS = 'ALERTS';

interface Query {
  readonly dashboard: string;
  readonly panel: Panel;
  readonly target: Target;
  readonly expression: string;
}

const DASHBOARDS = readDashboards();
const stack = new AsyncDisposableStack();
let world: MonitoredWorld;
const variables = new Map<string, VariableValues>();
/** What each query gave. */
const answers = new Map<Query, readonly Series[]>();

const nameOf = ({ dashboard, panel, target }: Query): string => `${dashboard}: ${panel.title} ${target.refId}`;

function queriesOf(file: string, dashboard: Dashboard): Query[] {
  const values = variables.get(file) ?? new Map();
  return panelsOf(dashboard).flatMap((panel) =>
    (panel.targets ?? []).map((target) => {
      return { dashboard: file, panel, target, expression: substitute(target.expr, values) };
    }),
  );
}

/** Asks what has not been answered yet. */
async function ask(queries: readonly Query[]): Promise<Query[]> {
  const open: Query[] = [];
  for (const query of queries) {
    const series = await world.prometheus.queryRange(query.expression);
    answers.set(query, series);
    if (!series.some(({ values }) => values.length > 0)) {
      open.push(query);
    }
  }
  return open;
}

/** Drives everything until each query has data; what has none in time is left to the tests. */
async function observe(): Promise<void> {
  const deadline = performance.now() + TIME_LIMIT_MS / 2;
  await drive(world, 0);
  await world.prometheus.untilScraped();
  await until(async () => (await world.prometheus.series('isolation_connections')).length > 0);
  for (const [file, dashboard] of DASHBOARDS) {
    variables.set(file, await valuesOfVariables(dashboard, world.prometheus));
  }
  let open = DASHBOARDS.flatMap(([file, dashboard]) => queriesOf(file, dashboard));
  for (let turn = 1; open.length > 0 && performance.now() < deadline; turn++) {
    await drive(world, turn);
    open = await ask(open);
  }
}

const seriesByMetric = new Map<string, Promise<Labels[]>>();

function seriesOf(metric: string): Promise<Labels[]> {
  const series = seriesByMetric.get(metric) ?? world.prometheus.series(metric);
  seriesByMetric.set(metric, series);
  return series;
}

beforeAll(async () => {
  world = await startMonitoredWorld(stack);
  await observe();
}, TIME_LIMIT_MS);

afterAll(() => stack.disposeAsync(), TIME_LIMIT_MS);

const DATA = ([, series]: [Query, readonly Series[]]): boolean => series.some(({ values }) => values.length > 0);

describe('the dashboards, while the services are at work', () => {
  it.each(DASHBOARDS.map(([file]) => file))('%s has values for each variable', (file) => {
    const values = [...(variables.get(file) ?? [])].map(([name, { choices }]) => [name, choices.length > 0]);
    expect(values).toEqual(values.map(([name]) => [name, true]));
    expect(values.map(([name]) => name)).toEqual(expect.arrayContaining(['job', 'instance']));
  });

  it('have data for every query', () => {
    const empty = [...answers].filter((answer) => !DATA(answer)).map(([query]) => nameOf(query));
    expect([answers.size > 100, empty]).toEqual([true, []]);
  });

  it('name series by labels that these have', () => {
    const wrong = [...answers].filter(([{ target }, series]) => {
      const labels = [...target.legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      return labels.some((label) => series.some(({ metric }) => metric[label] === undefined));
    });
    expect(wrong.map(([query]) => nameOf(query))).toEqual([]);
  });

  it('tell all series of a query apart by their legend', () => {
    const wrong = [...answers].filter(([{ panel, target }, series]) => {
      const names = series.map(({ metric }) =>
        target.legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? ''),
      );
      return panel.type !== 'table' && new Set(names).size < names.length;
    });
    expect(wrong.map(([query]) => nameOf(query))).toEqual([]);
  });

  it('ask for labels that the metrics have', async () => {
    const unknown = new Set<string>();
    for (const { expression } of answers.keys()) {
      const labels = new Set(['le', 'alertname']);
      for (const { metric, labels: matched } of selectorsOf(expression).filter(({ metric }) => metric !== ALERTS)) {
        const known = new Set((await seriesOf(metric)).flatMap((series) => Object.keys(series)));
        matched.filter((label) => !known.has(label)).forEach((label) => unknown.add(`${metric}{${label}}`));
        known.forEach((label) => labels.add(label));
      }
      groupingsOf(expression)
        .filter((label) => !labels.has(label))
        .forEach((label) => unknown.add(`${label} in ${expression}`));
    }
    expect([...unknown]).toEqual([]);
  });

  it('take rates of counters, and of nothing else', async () => {
    const types = await world.prometheus.typesOfMetrics();
    const selectors = [...answers.keys()].flatMap(({ expression }) => selectorsOf(expression));
    const rated = selectors.filter(({ within }) => within === 'rate' || within === 'increase');
    const wrong = rated.filter(({ metric }) => !RATED_TYPES.has(types.get(familyOf(metric, types)) ?? ''));
    expect([rated.length > 0, wrong.map(({ metric }) => metric)]).toEqual([true, []]);
  });

  it('show every metric of ours', async () => {
    const types = await world.prometheus.typesOfMetrics();
    const selectors = [...answers.keys()].flatMap(({ expression }) => selectorsOf(expression));
    const shown = new Set(selectors.map(({ metric }) => familyOf(metric, types)));
    const ours = [...types.keys()].filter((name) => OUR_METRICS.test(name));
    expect([ours.length > 15, ours.filter((name) => !shown.has(name))]).toEqual([true, []]);
  });

  it('mark alerts and starts in the graphs', async () => {
    const marks = DASHBOARDS.flatMap(([file, { annotations }]) =>
      annotations.list.map(({ name, expr }) => [name, substitute(expr, variables.get(file) ?? new Map())] as const),
    );
    expect(marks.map(([name]) => name)).toEqual(DASHBOARDS.flatMap(() => ['Alerts', 'Starts']));
    await expect(Promise.all(marks.map(([, expr]) => world.prometheus.queryRange(expr)))).resolves.toHaveLength(6);
  });
});
