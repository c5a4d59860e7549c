import { describeAlerts, stepsOf } from './alert-rules.mjs';

export const DATA_SOURCE = { type: 'prometheus', uid: '${datasource}' };

const NO_STEPS = [{ color: 'green', value: null }];

/** `queries` are pairs of an expression and the legend of what it gives. */
function targetsOf(queries, { isInstant = false, format = 'time_series' } = {}) {
  return queries.map(([expr, legendFormat], index) => ({
    refId: String.fromCodePoint(65 + index),
    datasource: DATA_SOURCE,
    editorMode: 'code',
    expr,
    legendFormat,
    format,
    range: !isInstant,
    instant: isInstant,
  }));
}

function colorOverrides(colors = {}) {
  return Object.entries(colors).map(([name, fixedColor]) => ({
    matcher: { id: 'byName', options: name },
    properties: [{ id: 'color', value: { mode: 'fixed', fixedColor } }],
  }));
}

function unitOverride(name, unit) {
  return { matcher: { id: 'byName', options: name }, properties: [{ id: 'unit', value: unit }] };
}

/** `alerts` are alert rules that watch the same: they say where colors change. `min: null` lets an axis begin anywhere. */
function defaultsOf({ alerts = [], granularity, steps, unit = 'short', min = 0, mappings = [], ...rest }) {
  const ownSteps = steps ?? (alerts.length > 0 ? stepsOf(alerts, granularity) : NO_STEPS);
  return {
    unit,
    min: min ?? undefined,
    max: rest.max,
    decimals: rest.decimals,
    color: rest.color,
    mappings,
    thresholds: { mode: 'absolute', steps: ownSteps },
    custom: rest.custom,
  };
}

/** What all kinds of panels have. `alerts` become part of the description. */
function panel(type, title, options) {
  const { description, queries, alerts = [], width = 8, height = 8, colors, overrides = [] } = options;
  return {
    type,
    title,
    description: [description, ...describeAlerts(alerts)].join('\n\n'),
    datasource: DATA_SOURCE,
    gridPos: { w: width, h: height },
    fieldConfig: { defaults: defaultsOf(options), overrides: [...colorOverrides(colors), ...overrides] },
    options: options.panelOptions,
    targets: targetsOf(queries, options.target),
    transformations: options.transformations,
  };
}

/** Lines over time. `isStacked` adds them up; thresholds of alerts are dashed lines. */
export function timeSeries(title, options) {
  const { isStacked = false, alerts = [], steps } = options;
  return panel('timeseries', title, {
    ...options,
    color: { mode: 'palette-classic' },
    custom: {
      drawStyle: 'line',
      lineInterpolation: 'linear',
      lineWidth: 1,
      fillOpacity: isStacked ? 30 : 8,
      showPoints: 'never',
      spanNulls: false,
      stacking: { mode: isStacked ? 'normal' : 'none', group: 'A' },
      thresholdsStyle: { mode: alerts.length > 0 || steps !== undefined ? 'dashed' : 'off' },
    },
    panelOptions: {
      legend: { displayMode: 'table', placement: 'bottom', showLegend: true, calcs: ['lastNotNull', 'max'] },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
  });
}

/** One number, colored by its thresholds. */
export function stat(title, options) {
  return panel('stat', title, {
    width: 4,
    height: 4,
    ...options,
    color: { mode: 'thresholds' },
    panelOptions: {
      colorMode: 'value',
      graphMode: 'area',
      justifyMode: 'auto',
      orientation: 'auto',
      textMode: 'auto',
      wideLayout: true,
      showPercentChange: false,
      percentChangeColorMode: 'standard',
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    },
  });
}

/** One bar for each series, colored by its thresholds. */
export function bars(title, options) {
  return panel('bargauge', title, {
    ...options,
    target: { isInstant: true },
    color: { mode: 'thresholds' },
    panelOptions: {
      displayMode: 'gradient',
      orientation: 'horizontal',
      showUnfilled: true,
      valueMode: 'color',
      minVizHeight: 16,
      maxVizHeight: 40,
      minVizWidth: 8,
      namePlacement: 'auto',
      sizing: 'auto',
      legend: { displayMode: 'list', placement: 'bottom', showLegend: false, calcs: [] },
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    },
  });
}

/** A row for each series; `states` are pairs of the text and the color of the values 0, 1, … */
export function states(title, { states, ...options }) {
  const entries = states.map(([text, color], index) => [index, { text, color, index }]);
  return panel('state-timeline', title, {
    ...options,
    mappings: [{ type: 'value', options: Object.fromEntries(entries) }],
    color: { mode: 'thresholds' },
    custom: { fillOpacity: 80, lineWidth: 0 },
    panelOptions: {
      alignValue: 'left',
      mergeValues: true,
      rowHeight: 0.8,
      showValue: 'auto',
      legend: { displayMode: 'list', placement: 'bottom', showLegend: false, calcs: [] },
      tooltip: { mode: 'single', sort: 'none' },
    },
  });
}

/** How observations of a histogram are spread over its buckets. */
export function heatmap(title, options) {
  return panel('heatmap', title, {
    ...options,
    target: { format: 'heatmap' },
    color: undefined,
    custom: { hideFrom: { legend: false, tooltip: false, viz: false }, scaleDistribution: { type: 'linear' } },
    panelOptions: {
      calculate: false,
      cellGap: 1,
      color: {
        mode: 'scheme',
        scheme: 'Oranges',
        fill: 'dark-orange',
        exponent: 0.5,
        scale: 'exponential',
        steps: 64,
        reverse: false,
      },
      exemplars: { color: 'rgba(255,0,255,0.7)' },
      filterValues: { le: 1e-9 },
      legend: { show: true },
      rowsFrame: { layout: 'auto' },
      showValue: 'never',
      tooltip: { mode: 'single', showColorScale: false, yHistogram: true },
      yAxis: { axisPlacement: 'left', reverse: false, unit: options.unit },
    },
  });
}

/** A line for each value of the label `key`; `columns` are triples of name, expression and unit. */
export function table(title, { key, columns, ...options }) {
  const letters = columns.map((_, index) => String.fromCodePoint(65 + index));
  const renamed = Object.fromEntries(columns.map(([name], index) => [`Value #${letters[index]}`, name]));
  return panel('table', title, {
    width: 24,
    ...options,
    queries: columns.map(([, expr]) => [expr, '']),
    target: { isInstant: true, format: 'table' },
    color: { mode: 'thresholds' },
    custom: { align: 'auto', cellOptions: { type: 'auto' }, filterable: true, inspect: false },
    overrides: columns.map(([name, , unit]) => unitOverride(name, unit)),
    panelOptions: {
      cellHeight: 'sm',
      frameIndex: 0,
      showHeader: true,
      sortBy: [{ displayName: columns[0][0], desc: true }],
    },
    transformations: [
      { id: 'joinByField', options: { byField: key, mode: 'outer' } },
      {
        id: 'filterFieldsByName',
        options: { include: { names: [key, ...letters.map((letter) => `Value #${letter}`)] } },
      },
      { id: 'organize', options: { excludeByName: {}, indexByName: {}, renameByName: renamed } },
    ],
  });
}
