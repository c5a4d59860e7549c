import { DATA_SOURCE } from './panels.mjs';

const COLUMNS = 24;
/** Of Grafana 12.0. */
const SCHEMA_VERSION = 41;

/** A title and the panels below it; `isCollapsed` for what is looked at only when something is wrong. */
export function row(title, panels, { isCollapsed = false } = {}) {
  return { title, panels, isCollapsed };
}

/** Chooses the processes that a dashboard tells of. All means all of those that `query` finds, and no others. */
export function jobVariable(query) {
  return labelVariable('job', 'Job', query, null);
}

/**
 * A variable that chooses any number of the values of a label of the chosen jobs, all of them at first: that is one
 * expression then, however many they are.
 */
export function labelVariable(name, label, query, allValue = '.*') {
  return {
    type: 'query',
    name,
    label,
    datasource: DATA_SOURCE,
    definition: query,
    query: { qryType: 1, query, refId: `variable-${name}` },
    refresh: 2,
    sort: 1,
    regex: '',
    multi: true,
    includeAll: true,
    allValue: allValue ?? undefined,
    current: { text: ['All'], value: ['$__all'] },
    options: [],
    hide: 0,
  };
}

const DATA_SOURCE_VARIABLE = {
  type: 'datasource',
  name: 'datasource',
  label: 'Data source',
  query: 'prometheus',
  regex: '',
  refresh: 1,
  multi: false,
  includeAll: false,
  options: [],
  hide: 0,
};

/** Left to right, and below when there is no more room; numbered from `firstId`. Returns where the next line begins. */
function arrange(panels, top, firstId) {
  let [x, y, lineHeight] = [0, top, 0];
  const placed = panels.map((panel, index) => {
    const { w, h } = panel.gridPos;
    if (x + w > COLUMNS) {
      [x, y, lineHeight] = [0, y + lineHeight, 0];
    }
    const gridPos = { x, y, w, h };
    [x, lineHeight] = [x + w, Math.max(lineHeight, h)];
    return { id: firstId + index, ...panel, gridPos };
  });
  return { placed, bottom: y + lineHeight };
}

function layOut(rows) {
  const result = [];
  let [top, nextId] = [0, 1];
  for (const { title, panels, isCollapsed } of rows) {
    const { placed, bottom } = arrange(panels, top + 1, nextId + 1);
    const header = {
      id: nextId,
      type: 'row',
      title,
      collapsed: isCollapsed,
      gridPos: { x: 0, y: top, w: COLUMNS, h: 1 },
    };
    result.push({ ...header, panels: isCollapsed ? placed : [] }, ...(isCollapsed ? [] : placed));
    nextId += 1 + placed.length;
    top = isCollapsed ? top + 1 : bottom;
  }
  return result;
}

function annotation(name, expr, iconColor, titleFormat) {
  return {
    name,
    datasource: DATA_SOURCE,
    enable: true,
    hide: false,
    iconColor,
    expr,
    step: '',
    titleFormat,
    useValueForTime: false,
  };
}

/** A dashboard of Grafana. `name` is the last part of its uid and the name of its file. */
export function dashboard({ name, title, description, variables, rows, alerts }) {
  return {
    uid: `palisade-${name}`,
    title: `Palisade: ${title}`,
    description,
    tags: ['palisade'],
    schemaVersion: SCHEMA_VERSION,
    version: 1,
    editable: true,
    graphTooltip: 1,
    fiscalYearStartMonth: 0,
    weekStart: '',
    timezone: 'browser',
    time: { from: 'now-1h', to: 'now' },
    timepicker: {},
    refresh: '30s',
    liveNow: false,
    preload: false,
    annotations: {
      list: [
        annotation(
          'Alerts',
          `ALERTS{alertstate="firing", alertname=~"${alerts.join('|')}", job=~"$job"}`,
          'red',
          '{{alertname}}',
        ),
        annotation(
          'Starts',
          'changes(process_start_time_seconds{job=~"$job", instance=~"$instance"}[1m]) > 0',
          'blue',
          'start of {{instance}}',
        ),
      ],
    },
    links: [
      {
        type: 'dashboards',
        title: 'Palisade',
        tags: ['palisade'],
        asDropdown: false,
        includeVars: false,
        keepTime: true,
        targetBlank: false,
        icon: 'external link',
        tooltip: '',
        url: '',
      },
    ],
    templating: { list: [DATA_SOURCE_VARIABLE, ...variables] },
    panels: layOut(rows),
  };
}
