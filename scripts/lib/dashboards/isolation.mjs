import { dashboard, jobVariable, labelVariable, row } from './dashboard.mjs';
import { of, orZero, quantile, sumRate, top } from './expressions.mjs';
import { POOLS, ofBackend } from './isolation-pools-row.mjs';
import { bars, heatmap, stat, table, timeSeries } from './panels.mjs';
import { accessPanels, overviewRow, processRow, requestsRow } from './shared-rows.mjs';

const ALERTS = ['NamespaceConnectionsNearLimit', 'NamespaceErrorRate', 'BackendLatency', 'ServiceErrors'];
const NAMESPACE = 'namespace=~"$namespace"';
const BACKEND = 'backend=~"$backend"';
const BY_BACKEND = 'job, instance, namespace, backend';

const VARIABLES = [
  jobVariable('label_values(isolation_requests_total, job)'),
  labelVariable('instance', 'Instance', 'label_values(up{job=~"$job"}, instance)'),
  labelVariable('namespace', 'Namespace', 'label_values(isolation_requests_total{job=~"$job"}, namespace)'),
  labelVariable('backend', 'Backend', 'label_values(isolation_connections{job=~"$job"}, backend)'),
];

function work(metric, ...matchers) {
  return of(metric, NAMESPACE, ...matchers);
}

function connections(state) {
  return of('isolation_connections', NAMESPACE, BACKEND, `state="${state}"`);
}

/** Of a process; nothing when it is not configured. */
function limit(metric) {
  return [`max(${of(metric)})`, 'limit'];
}

const DURATIONS = of('isolation_request_duration_seconds_bucket', BACKEND);
/** As the alert has it: of each process, since each has its own pool for a namespace. */
const FULLNESS = `max by (${BY_BACKEND}) (${connections('active')}) / on (${BY_BACKEND}) max by (${BY_BACKEND}) (${of('isolation_connections_max', NAMESPACE, BACKEND)} > 0)`;
const ERROR_SHARE = `${sumRate(work('isolation_errors_total'), 'namespace')} / on (namespace) ${sumRate(work('isolation_requests_total'), 'namespace')}`;
const WAITING = of('isolation_queue_length', NAMESPACE, BACKEND);

const STATS = [
  stat('Work', {
    description: 'Admitted work per second.',
    queries: [[sumRate(work('isolation_requests_total')), 'work']],
    unit: 'reqps',
  }),
  stat('Largest share of errors', {
    description:
      'The namespace whose work fails most. When red: isolation_rejections_total by reason shows whether its own limits caused it; otherwise it was the backend, see the log of the proxies.',
    queries: [[`max(${ERROR_SHARE})`, 'errors']],
    alerts: ['NamespaceErrorRate'],
    unit: 'percentunit',
    decimals: 1,
  }),
  stat('Fullest pool', {
    description:
      'Share of its connections in use, for the namespace nearest to its limit. When orange: find out what holds connections for so long, or raise connections_per_namespace.',
    queries: [[`max(${FULLNESS})`, 'in use']],
    alerts: ['NamespaceConnectionsNearLimit'],
    unit: 'percentunit',
    decimals: 0,
  }),
  stat('Slowest backend', {
    description:
      '99th percentile of the slowest backend, waiting included. When orange: if work waits, there are too few connections; otherwise the backend is slow.',
    queries: [[`max(${quantile(0.99, DURATIONS, 'backend')})`, 'p99']],
    alerts: ['BackendLatency'],
    unit: 's',
  }),
  stat('Waiting', {
    description: 'Work that waits for a connection.',
    queries: [[`sum(${WAITING})`, 'waiting']],
    unit: 'none',
  }),
  stat('Rejected', {
    description: 'Work per second that limits rejected or ended.',
    queries: [[orZero(sumRate(work('isolation_rejections_total'))), 'rejected']],
    unit: 'reqps',
  }),
];

const BUSIEST = top(sumRate(work('isolation_requests_total'), 'namespace'), 50);

/** What each of the busiest namespaces takes; a column has a name, an expression and a unit. */
const NAMESPACES = row('Namespaces', [
  table('Namespaces', {
    description: 'Usage of the 50 busiest namespaces. _other: all namespaces without their own series.',
    key: 'namespace',
    height: 10,
    columns: [
      ['work/s', BUSIEST, 'reqps'],
      ...[
        ['errors', ERROR_SHARE, 'percentunit'],
        ['rejected/s', sumRate(work('isolation_rejections_total'), 'namespace'), 'reqps'],
        ['connections in use', `sum by (namespace) (${connections('active')})`, 'none'],
        ['waiting', `sum by (namespace) (${WAITING})`, 'none'],
        ['CPU', sumRate(work('isolation_cpu_seconds_total'), 'namespace'), 'none'],
        ['memory', `sum by (namespace) (${work('isolation_memory_held_bytes')})`, 'bytes'],
        ['rows/s', sumRate(work('isolation_rows_accessed_total'), 'namespace'), 'short'],
      ].map(([name, expression, unit]) => [name, `${expression} and on (namespace) ${BUSIEST}`, unit]),
    ],
  }),
]);

const CONNECTIONS = row('Connections', [
  bars('In use of the limit', {
    description:
      'The ten namespaces that are nearest to their limit at a backend, in one process. When orange: requests of this namespace begin to wait; others are not affected.',
    queries: [[top(FULLNESS), '{{namespace}} {{backend}} ({{instance}})']],
    alerts: ['NamespaceConnectionsNearLimit'],
    unit: 'percentunit',
    max: 1,
  }),
  timeSeries('In use of the limit over time', {
    description: 'The ten with the highest usage, by namespace and backend.',
    queries: [[top(`max by (namespace, backend) (${FULLNESS})`), '{{namespace}} {{backend}}']],
    alerts: ['NamespaceConnectionsNearLimit'],
    unit: 'percentunit',
    max: 1,
  }),
  timeSeries('Waiting', {
    description:
      'Work that waits for a connection: the ten namespaces with most. Other namespaces have their own connections and are not affected.',
    queries: [[top(`sum by (namespace, backend) (${WAITING})`), '{{namespace}} {{backend}}']],
    unit: 'none',
  }),
  timeSeries('Connections by backend', {
    description: 'The connections of all selected namespaces and processes together: the server must allow that many.',
    queries: [
      [`sum by (backend, state) (${of('isolation_connections', NAMESPACE, BACKEND)})`, '{{backend}} {{state}}'],
    ],
    isStacked: true,
    unit: 'none',
  }),
  timeSeries('In use of the cap', {
    description:
      'Share of the process’s cap that is in use, for all namespaces together. At 1, namespaces take connections from each other.',
    queries: [
      [
        `max by (instance, backend) (${ofBackend('isolation_backend_connections')}) / on (instance, backend) max by (instance, backend) (${ofBackend('isolation_connections_cap')})`,
        '{{backend}} ({{instance}})',
      ],
    ],
    unit: 'percentunit',
    max: 1,
  }),
  timeSeries('Caps', {
    description: 'Connections that each process may have. Change when replicas come and go, if these divide the caps.',
    queries: [[ofBackend('isolation_connections_cap'), '{{backend}} ({{instance}})']],
    unit: 'none',
  }),
  timeSeries('Namespaces with connections', {
    description:
      'Namespaces that hold a connection to the backend. Falls as idle pools are reclaimed; those counted as _other are one.',
    queries: [
      [
        `count by (backend) (sum by (namespace, backend) (${of('isolation_connections', NAMESPACE, BACKEND)}) > 0)`,
        '{{backend}}',
      ],
    ],
    unit: 'none',
  }),
  timeSeries('Beyond a threshold', {
    description:
      'Namespaces and backends that are beyond a threshold now: connections, error_rate, latency. The usage endpoint names them.',
    queries: [[`sum by (kind, severity) (${of('isolation_alerts')})`, '{{kind}} ({{severity}})']],
    unit: 'none',
  }),
]);

const WORK = row('Work', [
  timeSeries('Work by namespace', {
    description: 'Admitted work per second: the ten busiest namespaces. limit: max_rps of each process.',
    queries: [
      [top(sumRate(work('isolation_requests_total'), 'namespace')), '{{namespace}}'],
      limit('isolation_namespace_max_requests_per_second'),
    ],
    unit: 'reqps',
  }),
  timeSeries('Share of errors by namespace', {
    description: 'Admitted work that failed, or got no connection although within the limits. The ten largest.',
    queries: [[top(ERROR_SHARE), '{{namespace}}']],
    alerts: ['NamespaceErrorRate'],
    unit: 'percentunit',
  }),
  timeSeries('Rejected by reason', {
    description:
      'RATE_LIMITED: max_rps. POOL_TIMEOUT, POOL_EXHAUSTED: no connection in time. MEMORY_LIMIT, CPU_LIMIT: resource_limits. SESSION_LIMIT: max_sessions.',
    queries: [[sumRate(work('isolation_rejections_total'), 'reason'), '{{reason}}']],
    isStacked: true,
    unit: 'reqps',
  }),
  timeSeries('Rejected by namespace', {
    description: 'The ten namespaces that reach their limits most often.',
    queries: [[top(sumRate(work('isolation_rejections_total'), 'namespace', 'reason')), '{{namespace}} {{reason}}']],
    unit: 'reqps',
  }),
  timeSeries('Aborted', {
    description: 'Work aborted by its caller: the ten namespaces with most.',
    queries: [[top(sumRate(work('isolation_aborted_total'), 'namespace')), '{{namespace}}']],
    unit: 'reqps',
  }),
  timeSeries('Rows', {
    description: 'Rows accessed, as counted by the clients: the ten namespaces with most.',
    queries: [[top(sumRate(work('isolation_rows_accessed_total'), 'namespace')), '{{namespace}}']],
    unit: 'short',
  }),
]);

const LATENCY = row('Latency', [
  timeSeries('Latency by backend', {
    description:
      '99th percentile of the duration of work, including waiting. When above the line: if work waits, there are too few connections; otherwise the backend is slow.',
    queries: [[quantile(0.99, DURATIONS, 'backend'), '{{backend}}']],
    alerts: ['BackendLatency'],
    unit: 's',
  }),
  timeSeries('Median by backend', {
    description: 'Median duration of work, including waiting.',
    queries: [[quantile(0.5, DURATIONS, 'backend'), '{{backend}}']],
    unit: 's',
  }),
  heatmap('Distribution of latency', {
    description: 'Work per second by duration, for the selected backends.',
    queries: [[sumRate(DURATIONS, 'le'), '{{le}}']],
    unit: 's',
  }),
]);

const RESOURCES = row('CPU and memory', [
  timeSeries('CPU by namespace', {
    description:
      'Cores, an estimate: the ten namespaces with most. limit: resource_limits.per_namespace.cpu, of each process.',
    queries: [
      [top(sumRate(work('isolation_cpu_seconds_total'), 'namespace')), '{{namespace}}'],
      limit('isolation_namespace_max_cpu_cores'),
    ],
    unit: 'none',
  }),
  timeSeries('CPU of no namespace', {
    description:
      'Cores used without a namespace: the runtime, idle connections, probes. Zero when CPU time is not measured.',
    queries: [[sumRate(of('isolation_unattributed_cpu_seconds_total'), 'instance'), '{{instance}}']],
    unit: 'none',
  }),
  timeSeries('Memory by namespace', {
    description:
      'Memory held, as far as it is counted: the ten namespaces with most. limit: resource_limits.per_namespace.memory, of each process.',
    queries: [
      [top(`sum by (namespace) (${work('isolation_memory_held_bytes')})`), '{{namespace}}'],
      limit('isolation_namespace_max_memory_bytes'),
    ],
    unit: 'bytes',
  }),
]);

const POLICY = row('Policy and access of users', [
  timeSeries('Revision in force', {
    description:
      'By process; 0 without a policy. wanted: the revision of the control planes in this Prometheus. A process that stays below it is behind, or rejects a policy.',
    queries: [
      [of('isolation_policy_revision'), '{{instance}}'],
      ['max(control_plane_registry_revision)', 'wanted'],
    ],
    unit: 'none',
    min: null,
  }),
  timeSeries('Where the policy came from', {
    description: 'Processes by source. stream: the control plane. copy: the disk, since no control plane was reached.',
    queries: [[`sum by (source) (${of('isolation_policy_source')})`, '{{source}}']],
    isStacked: true,
    unit: 'none',
  }),
  timeSeries('Rejected policies', {
    description:
      '1 while the process cannot enforce a later policy and keeps the one before. palisade proxy show says why.',
    queries: [[of('isolation_policy_rejected'), '{{instance}}']],
    unit: 'none',
  }),
  timeSeries('Last contact with the control plane', {
    description: 'How long ago the process last heard of a control plane. It goes on with the policy that it has.',
    queries: [[of('isolation_control_plane_age_seconds'), '{{instance}}']],
    unit: 's',
  }),
  timeSeries('Open policy streams', {
    description: '1 while the process has a stream from a control plane.',
    queries: [[of('isolation_control_plane_connected'), '{{instance}}']],
    unit: 'none',
  }),
  timeSeries('Decisions on access', {
    description:
      'Whether users had access, per second. unknown: the control plane could not be asked. Zero where requests need no user.',
    queries: [[sumRate(of('isolation_access_decisions_total'), 'result'), '{{result}}']],
    isStacked: true,
    unit: 'reqps',
  }),
  timeSeries('Known answers on access', {
    description: 'Answers that each process keeps for as long as the control plane confirms them.',
    queries: [[of('isolation_access_known'), '{{instance}}']],
    unit: 'none',
  }),
  timeSeries('Users not served', {
    description:
      '1 while the process serves no users, because no control plane confirms their access. When 1: see its last contact.',
    queries: [[of('isolation_access_cut_off'), '{{instance}}']],
    steps: [
      { color: 'green', value: null },
      { color: 'red', value: 1 },
    ],
    unit: 'none',
  }),
]);

export const ISOLATION = dashboard({
  name: 'isolation',
  title: 'Isolation of namespaces',
  description: 'What each namespace uses of the proxies, how near it is to its limits, and what is rejected.',
  alerts: ALERTS,
  variables: VARIABLES,
  rows: [
    overviewRow(ALERTS, STATS),
    NAMESPACES,
    CONNECTIONS,
    POOLS,
    WORK,
    LATENCY,
    RESOURCES,
    POLICY,
    requestsRow(),
    row('Access', accessPanels()),
    processRow(),
  ],
});
