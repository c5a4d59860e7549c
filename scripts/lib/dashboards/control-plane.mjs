import { dashboard, jobVariable, labelVariable, row } from './dashboard.mjs';
import { of, orZero, quantile, requests, sumRate, told, top } from './expressions.mjs';
import { LOAD_BALANCER } from './load-balancer-row.mjs';
import { bars, stat, states, timeSeries } from './panels.mjs';
import {
  accessPanels,
  latencyRow,
  overviewRow,
  processRow,
  requestStats,
  requestsRow,
  storeRow,
} from './shared-rows.mjs';

const ALERTS = [
  'ServiceDown',
  'ServiceErrors',
  'StoreOperationsWaiting',
  'NoLeader',
  'TwoLeaders',
  'LoadBalancerNotFollowing',
  'ComponentPending',
  'PoolWithoutHealthyProxies',
  'AuditExportBehind',
];
const POOL = 'pool=~"$pool"';
const HEALTH_COLORS = { healthy: 'green', unhealthy: 'red', unknown: 'gray' };

const VARIABLES = [
  jobVariable('label_values(control_plane_is_leader, job)'),
  labelVariable('instance', 'Instance', 'label_values(up{job=~"$job"}, instance)'),
  labelVariable('pool', 'Pool', 'label_values(control_plane_tenants{job=~"$job"}, pool)'),
];

function healthy(...more) {
  return `sum by (pool) (${told('control_plane_proxies', 'pool, health', POOL, 'health="healthy"', ...more)})`;
}

const PROXIES = `sum by (pool) (${told('control_plane_proxies', 'pool, health', POOL)})`;

const STATS = [
  stat('Leaders', {
    description:
      'Replicas that lead: it has to be one. When 0: the database or the API server of Kubernetes is away, see /health/ready of the replicas. When 2 for longer than a minute: compare holder in GET /api/v1/status of both, stop one.',
    queries: [[`sum(${of('control_plane_is_leader')})`, 'leaders']],
    alerts: ['NoLeader', 'TwoLeaders'],
    granularity: 1,
    unit: 'none',
  }),
  ...requestStats(),
  stat('Components that fail', {
    description:
      'Load balancer, DNS, Kubernetes, provisioning and audit: how many are pending or fail. When red: GET /api/v1/status says why, and when it is tried again.',
    queries: [[orZero(`sum(${told('control_plane_component_failing', 'component')})`), 'failing']],
    steps: [
      { color: 'green', value: null },
      { color: 'red', value: 1 },
    ],
    unit: 'none',
  }),
  stat('Pools without healthy proxies', {
    description:
      'Pools that have proxies, none of which is healthy. When red: GET /api/v1/pools has the reason for each proxy; all of them are kept in the load balancer.',
    queries: [[orZero(`count(${healthy()} == 0 and on (pool) ${PROXIES} > 0)`), 'pools']],
    steps: [
      { color: 'green', value: null },
      { color: 'red', value: 1 },
    ],
    unit: 'none',
  }),
];

const DUTIES = row('Leadership and duties', [
  states('Who leads', {
    description:
      'Which replica leads. It alone checks proxies and writes load balancer, DNS and Kubernetes status. Changes with each rollout; more often: its database answers too late.',
    queries: [[`max by (instance) (${of('control_plane_is_leader')})`, '{{instance}}']],
    states: [
      ['follows', 'gray'],
      ['leads', 'green'],
    ],
    steps: [
      { color: 'gray', value: null },
      { color: 'green', value: 1 },
    ],
  }),
  states('Load balancer', {
    description:
      'Whether the load balancer takes changes. When red: it serves what it served before; GET /api/v1/loadbalancer/status says why.',
    queries: [[told('control_plane_component_failing', 'component', 'component="load_balancer"'), '{{component}}']],
    alerts: ['LoadBalancerNotFollowing'],
    states: [
      ['follows', 'green'],
      ['fails', 'red'],
    ],
  }),
  states('DNS, Kubernetes, provisioning, audit', {
    description: 'What else the leader does. When orange: GET /api/v1/status says why, and when it is tried again.',
    queries: [[told('control_plane_component_failing', 'component', 'component!="load_balancer"'), '{{component}}']],
    alerts: ['ComponentPending'],
    states: [
      ['done', 'green'],
      ['pending', 'orange'],
    ],
  }),
  timeSeries('Changes of leadership', {
    description: 'Times that a replica began to lead, within ten minutes.',
    queries: [[`sum by (instance) (increase(${of('control_plane_leadership_terms_total')}[10m]))`, '{{instance}}']],
    unit: 'none',
  }),
  timeSeries('Updates of DNS', {
    description:
      'Updates of the names of pools, within ten minutes; each is written anew every five minutes. failed: the server refuses or does not answer, names stay as they are. GET /api/v1/status says why.',
    queries: [[`sum by (result) (increase(${of('control_plane_dns_updates_total')}[10m]))`, '{{result}}']],
    unit: 'none',
  }),
  timeSeries('Registry', {
    description:
      'Revision of the registry by replica: it increases with each change of a tenant. A replica that stays behind for longer than a second answers from an earlier state; its log says why.',
    queries: [[of('control_plane_registry_revision'), '{{instance}}']],
    unit: 'none',
    min: null,
  }),
  timeSeries('Replicas that are behind', {
    description:
      'Revisions between the first and the last replica. Above zero for longer than a scrape: a replica does not see changes.',
    queries: [
      [`max(${of('control_plane_registry_revision')}) - min(${of('control_plane_registry_revision')})`, 'revisions'],
    ],
    unit: 'none',
  }),
]);

const POOLS = row('Pools, tenants, proxies', [
  bars('Tenants by pool', {
    description: 'Tenants with namespaces in the pool. docs/operations.md, Sizing says how many proxies they need.',
    queries: [[told('control_plane_tenants', 'pool', POOL), '{{pool}}']],
    unit: 'none',
  }),
  timeSeries('Tenants', {
    description: 'Tenants with namespaces in the pool, over time.',
    queries: [[told('control_plane_tenants', 'pool', POOL), '{{pool}}']],
    unit: 'none',
  }),
  timeSeries('Healthy proxies', {
    description:
      'Proxies of the pool that are healthy. When red: GET /api/v1/pools has the reason for each. Below panic_threshold (half) all are kept in the load balancer.',
    queries: [[healthy(), '{{pool}}']],
    alerts: ['PoolWithoutHealthyProxies'],
    unit: 'none',
  }),
  timeSeries('Proxies by health', {
    description: 'Of the chosen pools. unknown: not checked yet.',
    queries: [[`sum by (health) (${told('control_plane_proxies', 'pool, health', POOL)})`, '{{health}}']],
    colors: HEALTH_COLORS,
    isStacked: true,
    unit: 'none',
  }),
  timeSeries('Share of healthy proxies', {
    description: 'By pool; pools without proxies are left out.',
    queries: [[`${healthy()} / (${PROXIES} > 0)`, '{{pool}}']],
    unit: 'percentunit',
    max: 1,
  }),
  timeSeries('Registrations and heartbeats', {
    description:
      'Of proxies that register themselves. Proxies that are silent for health_checks.heartbeat_timeout are unhealthy.',
    queries: [
      [orZero(sumRate(requests('count', 'method="POST"', 'route="/api/v1/proxies"'))), 'registrations'],
      [orZero(sumRate(requests('count', 'route="/api/v1/proxies/:id/heartbeat"'))), 'heartbeats'],
    ],
    unit: 'reqps',
  }),
]);

const ROUTES = 'route=~"/api/v1/(routing/.*|access/.*)"';

const ROUTING = row('Routing', [
  timeSeries('Routing decisions', {
    description: 'Questions where a namespace goes. 404: no tenant, route, rule or default has it (no_route).',
    queries: [[top(sumRate(requests('count', ROUTES), 'status', 'route')), '{{status}} {{route}}']],
    unit: 'reqps',
  }),
  timeSeries('Latency of routing decisions', {
    description: '99th percentile. Answered from memory: slow only when the process is.',
    queries: [[top(quantile(0.99, requests('bucket', ROUTES), 'route')), '{{route}}']],
    unit: 's',
  }),
  timeSeries('Changes of tenants', {
    description:
      'By the API; those that come from Kubernetes are not among them. 409: the tenant or the pattern is taken.',
    queries: [
      [
        top(sumRate(requests('count', 'method!="GET"', 'route=~"/api/v1/tenants.*"'), 'status', 'method')),
        '{{status}} {{method}}',
      ],
    ],
    unit: 'reqps',
  }),
]);

const KUBERNETES = row('Kubernetes', [
  timeSeries('Silence of the API server', {
    description:
      'Time since the API server gave a sign of life to a watch. When red: it is away, new tenants and pods are not seen; what is known stays.',
    queries: [[`max by (resource) (${of('kubernetes_watch_staleness_seconds')})`, '{{resource}}']],
    steps: [
      { color: 'green', value: null },
      { color: 'red', value: 90 },
    ],
    unit: 's',
  }),
  timeSeries('Objects', {
    description: 'Objects that are known: tenant resources, pods of proxies.',
    queries: [[`max by (resource) (${of('kubernetes_watch_objects')})`, '{{resource}}']],
    unit: 'none',
  }),
  timeSeries('Interruptions', {
    description: 'Times that a watch had to begin anew, within ten minutes. A few an hour are normal.',
    queries: [[`sum by (resource) (increase(${of('kubernetes_watch_interruptions_total')}[10m]))`, '{{resource}}']],
    unit: 'none',
  }),
]);

const AUDIT = row('Access and audit', [
  ...accessPanels(),
  timeSeries('Export of the audit trail', {
    description:
      'Age of the oldest action record that is not exported yet; there is an export every five minutes. Nothing without audit_backend.',
    queries: [[`max(${of('control_plane_audit_export_lag_seconds')})`, 'behind']],
    alerts: ['AuditExportBehind'],
    unit: 's',
  }),
  timeSeries('Records that are not exported', {
    description: 'Action records that only the database has. Removal waits for them.',
    queries: [[`max(${of('control_plane_audit_unexported_records')})`, 'records']],
    unit: 'none',
  }),
  timeSeries('Audit trail', {
    description:
      'Reads of action records and verifications of their chain. GET /api/v1/audit/verify says whether the chain is whole.',
    queries: [[top(sumRate(requests('count', 'route=~"/api/v1/audit.*"'), 'status', 'route')), '{{status}} {{route}}']],
    unit: 'reqps',
  }),
]);

export const CONTROL_PLANE = dashboard({
  name: 'control-plane',
  title: 'Control plane',
  description: 'Who leads and how its duties go; tenants, pools, proxies and their health; requests to the API.',
  alerts: ALERTS,
  variables: VARIABLES,
  rows: [
    overviewRow(ALERTS, STATS),
    DUTIES,
    POOLS,
    ROUTING,
    LOAD_BALANCER,
    KUBERNETES,
    requestsRow(),
    latencyRow(),
    AUDIT,
    storeRow(),
    processRow(),
  ],
});
