import { dashboard, jobVariable, labelVariable, row } from './dashboard.mjs';
import { of, orZero, quantile, rate, requests, sumRate, told, top } from './expressions.mjs';
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
  'StoreWritesFailing',
  'StoreOperationsWaiting',
  'NoLeader',
  'TwoLeaders',
  'LoadBalancerNotFollowing',
  'ComponentPending',
  'PoolWithoutHealthyProxies',
  'TenantConnectionsNearLimit',
  'TenantErrorRate',
  'TenantLatency',
  'AuditExportBehind',
  'LogNotSealed',
];
const POOL = 'pool=~"$pool"';
const TENANT = 'tenant=~"$tenant"';
const HEALTH_COLORS = { healthy: 'green', unhealthy: 'red', unknown: 'gray' };

const VARIABLES = [
  jobVariable('label_values(control_plane_is_leader, job)'),
  labelVariable('instance', 'Instance', 'label_values(up{job=~"$job"}, instance)'),
  labelVariable('pool', 'Pool', 'label_values(control_plane_tenants{job=~"$job"}, pool)'),
  labelVariable('tenant', 'Tenant', 'label_values(control_plane_tenant_requests_total{job=~"$job"}, tenant)'),
];

function healthy(...more) {
  return `sum by (pool) (${told('control_plane_proxies', 'pool, health', POOL, 'health="healthy"', ...more)})`;
}

const PROXIES = `sum by (pool) (${told('control_plane_proxies', 'pool, health', POOL)})`;

const STATS = [
  stat('Leaders', {
    description:
      'Number of leading replicas, which must be 1. If 0: the database or the API server of Kubernetes is unreachable, see /health/ready of the replicas. If 2 for longer than a minute: compare holder in GET /api/v1/status of both and stop one.',
    queries: [[`sum(${of('control_plane_is_leader')})`, 'leaders']],
    alerts: ['NoLeader', 'TwoLeaders'],
    granularity: 1,
    unit: 'none',
  }),
  ...requestStats(),
  stat('Components that fail', {
    description:
      'How many of load balancer, DNS, Kubernetes, provisioning and audit are pending or failing. When red: GET /api/v1/status says why, and when they are retried.',
    queries: [[orZero(`sum(${told('control_plane_component_failing', 'component')})`), 'failing']],
    steps: [
      { color: 'green', value: null },
      { color: 'red', value: 1 },
    ],
    unit: 'none',
  }),
  stat('Pools without healthy proxies', {
    description:
      'Pools with proxies of which none is healthy. When red: GET /api/v1/pools has the reason for each proxy; all of them stay in the load balancer.',
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
      'The leading replica. Only it checks proxies and writes load balancer, DNS and Kubernetes status. It changes with each rollout; if it changes more often, the database answers too slowly.',
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
      'Whether the load balancer accepts changes. When red: it keeps the previous configuration; GET /api/v1/loadbalancer/status says why.',
    queries: [[told('control_plane_component_failing', 'component', 'component="load_balancer"'), '{{component}}']],
    alerts: ['LoadBalancerNotFollowing'],
    states: [
      ['follows', 'green'],
      ['fails', 'red'],
    ],
  }),
  states('DNS, Kubernetes, provisioning, audit', {
    description: 'The other duties of the leader. When orange: GET /api/v1/status says why, and when they are retried.',
    queries: [[told('control_plane_component_failing', 'component', 'component!="load_balancer"'), '{{component}}']],
    alerts: ['ComponentPending'],
    states: [
      ['done', 'green'],
      ['pending', 'orange'],
    ],
  }),
  timeSeries('Changes of leadership', {
    description: 'How often a replica became the leader within ten minutes.',
    queries: [[`sum by (instance) (increase(${of('control_plane_leadership_terms_total')}[10m]))`, '{{instance}}']],
    unit: 'none',
  }),
  timeSeries('Updates of DNS', {
    description:
      'Updates of pool names within ten minutes; each name is rewritten every five minutes. failed: the server rejects the update or does not answer, and names stay as they are. GET /api/v1/status says why.',
    queries: [[`sum by (result) (increase(${of('control_plane_dns_updates_total')}[10m]))`, '{{result}}']],
    unit: 'none',
  }),
  timeSeries('Repairs of tenants', {
    description:
      'Tenants within ten minutes whose credentials or permissions on a backend were not as provisioned, and were repaired. The log has each under tenant.repair.',
    queries: [[`sum by (backend) (increase(${of('control_plane_provisioning_repairs_total')}[10m]))`, '{{backend}}']],
    alerts: ['TenantsRepaired'],
    unit: 'none',
  }),
  timeSeries('Registry', {
    description:
      'Revision of the registry by replica: it increases with each change of a tenant. A replica that lags for longer than a second answers from an old state; its log says why.',
    queries: [[of('control_plane_registry_revision'), '{{instance}}']],
    unit: 'none',
    min: null,
  }),
  timeSeries('Replicas that are behind', {
    description:
      'Revisions between the first and the last replica. If above zero for longer than a scrape, a replica does not see changes.',
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
      'Proxies of the pool that are healthy. When red: GET /api/v1/pools has the reason for each. Below panic_threshold (half) all of them stay in the load balancer.',
    queries: [[healthy(), '{{pool}}']],
    alerts: ['PoolWithoutHealthyProxies'],
    unit: 'none',
  }),
  timeSeries('Proxies by health', {
    description: 'Proxies of the selected pools. unknown: not checked yet.',
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
  timeSeries('Proxies by policy', {
    description:
      'Proxies of the selected pools by how they enforce their policy. unmanaged: they say nothing of one. GET /api/v1/proxies says which they are.',
    queries: [[`sum by (state) (${told('control_plane_policy_proxies', 'pool, state', POOL)})`, '{{state}}']],
    isStacked: true,
    unit: 'none',
  }),
  timeSeries('Proxies that reject their policy', {
    description:
      'They keep the policy before. GET /api/v1/proxies says why, with the version of each and when it was last heard of.',
    queries: [
      [`sum by (pool) (${told('control_plane_policy_proxies', 'pool, state', POOL, 'state="rejected"')})`, '{{pool}}'],
    ],
    alerts: ['PolicyRejected'],
    unit: 'none',
  }),
  timeSeries('Proxies with an old policy', {
    description: 'They do not hear of the control plane, or have not applied what they heard.',
    queries: [
      [
        `sum by (pool) (${told('control_plane_policy_proxies', 'pool, state', POOL, 'state=~"behind|stale"')})`,
        '{{pool}}',
      ],
    ],
    alerts: ['PolicyNotInForce'],
    unit: 'none',
  }),
  timeSeries('Revisions behind', {
    description: 'Revisions that the proxy of the pool that is furthest behind has still to apply.',
    queries: [[told('control_plane_policy_lag_revisions', 'pool', POOL), '{{pool}}']],
    unit: 'none',
  }),
  timeSeries('Age of policies', {
    description:
      'How long the proxy of the pool that is longest without the control plane had not heard of it at its last heartbeat.',
    queries: [[told('control_plane_policy_age_seconds', 'pool', POOL), '{{pool}}']],
    unit: 's',
  }),
  timeSeries('Policy streams', {
    description: 'Streams that each replica serves; each proxy that follows its policy has one.',
    queries: [[of('control_plane_policy_streams'), '{{instance}}']],
    unit: 'none',
  }),
  timeSeries('Caps of backends', {
    description:
      'Connections of all proxies of a pool to a backend: the cap, what proxies may have by their parts, what of that is kept for processes that report no longer, and what is wanted.',
    queries: ['limit', 'granted', 'silent', 'wanted'].map((amount) => [
      told(`control_plane_cap_${amount}`, 'pool, backend', POOL),
      `{{pool}} {{backend}} ${amount}`,
    ]),
    unit: 'none',
  }),
  timeSeries('Proxies without a part of a cap', {
    description:
      'They may have no connection to the backend: there are more proxies than connections, or a dead one keeps its part.',
    queries: [[told('control_plane_cap_proxies_without_part', 'pool, backend', POOL), '{{pool}} {{backend}}']],
    unit: 'none',
  }),
  timeSeries('Registrations and heartbeats', {
    description:
      'Registrations and heartbeats of proxies that register themselves. Without a heartbeat for health_checks.heartbeat_timeout a proxy is unhealthy.',
    queries: [
      [orZero(sumRate(requests('count', 'method="POST"', 'route="/api/v1/proxies"'))), 'registrations'],
      [orZero(sumRate(requests('count', 'route="/api/v1/proxies/:id/heartbeat"'))), 'heartbeats'],
    ],
    unit: 'reqps',
  }),
]);

/** What the busiest tenants use at all proxies together, by tenant. */
function ofTenants(name, ...labels) {
  return told(`control_plane_tenant_${name}`, ['tenant', ...labels].join(', '), TENANT);
}

function rateOfTenants(name) {
  return `max by (tenant) (${rate(of(`control_plane_tenant_${name}_total`, TENANT))})`;
}

const FULLNESS = `${ofTenants('connections', 'backend')} / on (tenant, backend) (${ofTenants('connections_max', 'backend')} > 0)`;

const TENANTS = row('Tenants', [
  bars('Connections in use of the limit', {
    description:
      'The ten tenants nearest to their limit at a backend, over all proxies. Only the 100 tenants that use most have panels here.',
    queries: [[top(FULLNESS), '{{tenant}} {{backend}}']],
    alerts: ['TenantConnectionsNearLimit'],
    unit: 'percentunit',
    max: 1,
  }),
  timeSeries('Connections in use of the limit over time', {
    description: 'The ten tenants nearest to their limit. palisade usage --tenant: which namespaces hold them.',
    queries: [[top(FULLNESS), '{{tenant}} {{backend}}']],
    alerts: ['TenantConnectionsNearLimit'],
    unit: 'percentunit',
    max: 1,
  }),
  timeSeries('Requests', {
    description: 'The ten tenants with most requests, as proxies report them.',
    queries: [[top(rateOfTenants('requests')), '{{tenant}}']],
    unit: 'reqps',
  }),
  timeSeries('Requests of max_rps', {
    description: 'The ten tenants nearest to what max_rps lets them do; those without a limit are left out.',
    queries: [
      [top(`${rateOfTenants('requests')} / on (tenant) ${ofTenants('max_requests_per_second')}`), '{{tenant}}'],
    ],
    unit: 'percentunit',
  }),
  timeSeries('Share of errors', {
    description: 'Share of requests that fail: the ten tenants with the largest.',
    queries: [[top(`${rateOfTenants('errors')} / on (tenant) ${rateOfTenants('requests')}`), '{{tenant}}']],
    alerts: ['TenantErrorRate'],
    unit: 'percentunit',
  }),
  timeSeries('Latency', {
    description: '99th percentile for the namespace and proxy where it is longest: the ten slowest tenants.',
    queries: [[top(ofTenants('p99_seconds')), '{{tenant}}']],
    alerts: ['TenantLatency'],
    unit: 's',
  }),
  timeSeries('Sessions of tenants', {
    description: 'Open sessions: the ten tenants with most.',
    queries: [[top(ofTenants('sessions')), '{{tenant}}']],
    unit: 'none',
  }),
]);

const ROUTES = 'route=~"/api/v1/(routing/.*|access/.*)"';

const ROUTING = row('Routing', [
  timeSeries('Routing decisions', {
    description: 'Routing requests. 404: no tenant, route, rule or default matches the namespace (no_route).',
    queries: [[top(sumRate(requests('count', ROUTES), 'status', 'route')), '{{status}} {{route}}']],
    unit: 'reqps',
  }),
  timeSeries('Latency of routing decisions', {
    description: '99th percentile. Answered from memory, so it is only slow when the process is.',
    queries: [[top(quantile(0.99, requests('bucket', ROUTES), 'route')), '{{route}}']],
    unit: 's',
  }),
  timeSeries('Changes of tenants', {
    description: 'Changes through the API, without those from Kubernetes. 409: the tenant or the pattern is taken.',
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
      'Time since a watch last heard from the API server. When red: it is unreachable and new tenants and pods are not seen; known ones stay.',
    queries: [[`max by (resource) (${of('kubernetes_watch_staleness_seconds')})`, '{{resource}}']],
    steps: [
      { color: 'green', value: null },
      { color: 'red', value: 90 },
    ],
    unit: 's',
  }),
  timeSeries('Objects', {
    description: 'Known objects: tenant resources, pods of proxies.',
    queries: [[`max by (resource) (${of('kubernetes_watch_objects')})`, '{{resource}}']],
    unit: 'none',
  }),
  timeSeries('Interruptions', {
    description: 'Watches restarted within ten minutes. A few per hour are normal.',
    queries: [[`sum by (resource) (increase(${of('kubernetes_watch_interruptions_total')}[10m]))`, '{{resource}}']],
    unit: 'none',
  }),
]);

const LOG = row('Access and log', [
  ...accessPanels(),
  timeSeries('Export of the log', {
    description:
      'Age of the oldest record that is not exported yet; exports run every five minutes. Empty without audit_backend.',
    queries: [[`max(${of('control_plane_audit_export_lag_seconds')})`, 'behind']],
    alerts: ['AuditExportBehind'],
    unit: 's',
  }),
  timeSeries('Records that are not exported', {
    description: 'Records of the log that exist only in the database. They are not removed before they are exported.',
    queries: [[`max(${of('control_plane_audit_unexported_records')})`, 'records']],
    unit: 'none',
  }),
  timeSeries('Records without a position', {
    description: 'Age of the oldest record that is not sealed yet: until then nobody reads or exports it.',
    queries: [[`max(${of('log_seal_lag_seconds')})`, 'behind']],
    alerts: ['LogNotSealed'],
    unit: 's',
  }),
  timeSeries('Reads of the log', {
    description: 'Reads and verifications. GET /api/v1/log/verify says whether the log is intact.',
    queries: [[top(sumRate(requests('count', 'route=~"/api/v1/log.*"'), 'status', 'route')), '{{status}} {{route}}']],
    unit: 'reqps',
  }),
]);

export const CONTROL_PLANE = dashboard({
  name: 'control-plane',
  title: 'Control plane',
  description: 'The leader and its duties; tenants, pools, proxies and their health; requests to the API.',
  alerts: ALERTS,
  variables: VARIABLES,
  rows: [
    overviewRow(ALERTS, STATS),
    DUTIES,
    POOLS,
    TENANTS,
    ROUTING,
    LOAD_BALANCER,
    KUBERNETES,
    requestsRow(),
    latencyRow(),
    LOG,
    storeRow(),
    processRow(),
  ],
});
