import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { renderDashboards } from '../scripts/lib/dashboards/render-dashboards.mjs';
import { panelsOf, readDashboards, type GridPosition, type Panel } from './support/monitoring/dashboards.js';

const ROOT = join(import.meta.dirname, '..');
const COLUMNS = 24;
/** Grafana's ids of those that are used. */
const UNITS = new Set(['bytes', 'none', 'percentunit', 'reqps', 's', 'short']);

const DASHBOARDS = readDashboards();

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function overlap(a: GridPosition, b: GridPosition): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function overlaps(panels: readonly Panel[]): string[] {
  return panels.flatMap((one, index) =>
    panels
      .slice(index + 1)
      .flatMap((other) => (overlap(one.gridPos, other.gridPos) ? [`${one.title}, ${other.title}`] : [])),
  );
}

/** The number that each alert compares with, as a reader of the file finds it. */
function thresholds(): Map<string, number> {
  const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as {
    groups: readonly { rules: readonly { alert: string; expr: string }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  return new Map(rules.map(({ alert, expr }) => [alert, Number(/ (?:>|==) ([\d.]+)/.exec(expr)?.[1])]));
}

describe('deploy/grafana/dashboards', () => {
  it('are rendered from their source and the alert rules as these are (npm run dashboards)', () => {
    expect(Object.fromEntries(DASHBOARDS)).toEqual(Object.fromEntries(renderDashboards()));
  });

  it('each have a uid of their own, which links keep', () => {
    expect(DASHBOARDS.map(([, { uid }]) => uid)).toEqual([
      'palisade-control-plane',
      'palisade-isolation',
      'palisade-scim-service',
    ]);
  });
});

describe.each(DASHBOARDS)('%s', (_, dashboard) => {
  const panels = panelsOf(dashboard);
  const shown = panels.filter(({ type }) => type !== 'row');

  it('has nothing that only an export has', () => {
    expect(Object.keys(dashboard)).not.toEqual(expect.arrayContaining(['id']));
    expect(Object.keys(dashboard).filter((key) => key.startsWith('__'))).toEqual([]);
  });

  it('numbers its panels', () => {
    expect(panels.map(({ id }) => id)).toEqual(panels.map((_panel, index) => index + 1));
  });

  it('has a place for each panel', () => {
    expect(overlaps(dashboard.panels)).toEqual([]);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > COLUMNS)).toEqual([]);
  });

  it('says of each panel what it shows, and in which unit', () => {
    const poor = shown.filter(
      ({ description = '', fieldConfig }) => description === '' || !UNITS.has(fieldConfig?.defaults.unit ?? ''),
    );
    expect([shown.length > 0, poor.map(({ title }) => title)]).toEqual([true, []]);
  });

  it('uses the variables that it has, and all of them', () => {
    const texts = [...shown, ...dashboard.templating.list, ...dashboard.annotations.list].map((part) =>
      JSON.stringify(part),
    );
    const used = texts.flatMap((text) => [...text.matchAll(/\$\{?([a-z]+)\b/g)].map(([, name]) => name));
    expect(new Set(used)).toEqual(new Set(dashboard.templating.list.map(({ name }) => name)));
  });

  it('shows a bounded number of series: where clients make many, the largest', () => {
    const queries = shown.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
    const unbounded = queries.filter(
      ({ expr }) =>
        /by \([^)]*\b(?:namespace|provider|route)\b/.test(expr) && !/\btopk\(|^max\(|^count by \(backend\)/.test(expr),
    );
    expect(unbounded).toEqual([]);
  });

  it('turns red where its alerts do', () => {
    const values = thresholds();
    const wrong = shown.flatMap(({ title, description = '', fieldConfig }) => {
      const steps = fieldConfig?.defaults.thresholds.steps ?? [];
      return [...description.matchAll(/^Alert (\w+)/gm)].flatMap(([, alert = '']) => {
        const value = values.get(alert) ?? Number.NaN;
        return steps.some((step) => (step.value ?? 0) === value || step.value === value + 1)
          ? []
          : [`${title}: ${alert}`];
      });
    });
    expect(wrong).toEqual([]);
  });
});

describe('deploy/grafana/provisioning', () => {
  it('has the data source at the service of docker-compose.yml', () => {
    const { datasources } = parse(read('deploy/grafana/provisioning/datasources/prometheus.yaml'));
    expect(datasources).toMatchObject([{ uid: 'prometheus', url: 'http://prometheus:9090', isDefault: true }]);
    expect(Object.keys(parse(read('docker-compose.yml')).services)).toContain('prometheus');
  });

  it('takes intervals to be those at which Prometheus asks', () => {
    const { datasources } = parse(read('deploy/grafana/provisioning/datasources/prometheus.yaml'));
    const { global } = parse(read('deploy/prometheus/prometheus.yaml'));
    expect(datasources[0].jsonData.timeInterval).toBe(global.scrape_interval);
  });

  it('has the dashboards where they are mounted', () => {
    const { providers } = parse(read('deploy/grafana/provisioning/dashboards/palisade.yaml'));
    expect(providers).toMatchObject([{ type: 'file', options: { path: '/var/lib/grafana/dashboards' } }]);
  });
});

describe('the chart', () => {
  it('has the dashboards that are here', () => {
    const linked = DASHBOARDS.map(([file]) => existsSync(join(ROOT, 'deploy/helm/palisade/dashboards', file)));
    expect(linked).toEqual([true, true, true]);
  });
});
