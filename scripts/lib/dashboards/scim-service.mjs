import { dashboard, jobVariable, labelVariable, row } from './dashboard.mjs';
import { of, orZero, quantile, requests, sumRate, top } from './expressions.mjs';
import { stat, timeSeries } from './panels.mjs';
import {
  accessPanels,
  latencyRow,
  overviewRow,
  processRow,
  requestStats,
  requestsRow,
  storeRow,
} from './shared-rows.mjs';

const ALERTS = ['ServiceDown', 'ServiceErrors', 'StoreWritesFailing', 'StoreOperationsWaiting'];
const SUCCESS = 'status=~"2.."';

const VARIABLES = [
  jobVariable('label_values(up{job=~".*scim.*"}, job)'),
  labelVariable('instance', 'Instance', 'label_values(up{job=~"$job"}, instance)'),
  labelVariable('provider', 'Provider', 'label_values(provider_requests_total{job=~"$job"}, provider)'),
];

/** Requests a second that were answered well, as one line. */
function line(legend, ...matchers) {
  return [orZero(sumRate(requests('count', SUCCESS, ...matchers))), legend];
}

function changesOf(resource) {
  const path = `/scim/v2/${resource}`;
  return [
    line('created', 'method="POST"', `route="${path}"`),
    line('replaced', 'method="PUT"', `route="${path}/:id"`),
    line('patched', 'method="PATCH"', `route="${path}/:id"`),
    line('deleted', 'method="DELETE"', `route="${path}/:id"`),
  ];
}

const STATS = [
  ...requestStats(),
  stat('Changes', {
    description:
      'Users and groups that providers create, change or delete per second. If there are none for longer than the provider’s interval (Entra ID: 40 minutes), its provisioning has stopped: look there.',
    queries: [
      [
        orZero(
          sumRate(
            requests(
              'count',
              SUCCESS,
              'method=~"POST|PUT|PATCH|DELETE"',
              'route=~"/scim/v2/(Users|Groups|Bulk).*"',
              'route!~".*/.search"',
            ),
          ),
        ),
        'changes',
      ],
    ],
    unit: 'reqps',
  }),
  stat('Rejected credentials', {
    description: 'Answers with 401 and 403 per second. See the row Access.',
    queries: [[orZero(sumRate(requests('count', 'status=~"401|403"'))), 'rejected']],
    unit: 'reqps',
  }),
  stat('Throttled', {
    description:
      'Answers with 429 per second: a provider has more requests under way than its share. It retries by itself.',
    queries: [[orZero(sumRate(requests('count', 'status="429"'))), 'throttled']],
    unit: 'reqps',
  }),
];

const PROVISIONING = row('Provisioning', [
  timeSeries('Users', { description: 'Changes of users.', queries: changesOf('Users'), unit: 'reqps' }),
  timeSeries('Groups', {
    description: 'Changes of groups, including their members.',
    queries: changesOf('Groups'),
    unit: 'reqps',
  }),
  timeSeries('Questions of providers', {
    description:
      'Reads and searches. If there are many for each change, the provider compares everything in an initial or restarted synchronisation.',
    queries: [
      line('users', 'method="GET"', 'route=~"/scim/v2/Users.*"'),
      line('groups', 'method="GET"', 'route=~"/scim/v2/Groups.*"'),
      line('searches', 'route=~"/scim/v2/(.*/)?.search"'),
      line('discovery', 'route=~"/scim/v2/(ServiceProviderConfig|ResourceTypes|Schemas).*"'),
    ],
    unit: 'reqps',
  }),
  timeSeries('Changes that were rejected', {
    description:
      '400: the provider sends something that SCIM or its schema does not have. 404: the object does not exist. 409: name or external id is taken. 412: the object has changed in the meantime. The detail is in the provider’s provisioning log.',
    queries: [
      [
        top(
          sumRate(
            requests('count', 'status=~"400|404|409|412|413"', 'method!="GET"', 'route=~"/scim/v2/.*"'),
            'status',
            'method',
            'route',
          ),
        ),
        '{{status}} {{method}} {{route}}',
      ],
    ],
    unit: 'reqps',
  }),
  timeSeries('Bulk', {
    description: 'Bulk requests; each has up to 1,000 operations.',
    queries: [line('bulk', 'route="/scim/v2/Bulk"')],
    unit: 'reqps',
  }),
  timeSeries('Tokens that expire', {
    description:
      'Tokens and client secrets of providers that are valid and end within 30 days; replaced ones are included until they end. GET /api/v1/providers/<id>/tokens has the dates. Replace them before: afterwards the provider gets 401.',
    queries: [[`max(${of('provider_tokens_expiring')})`, 'expire']],
    unit: 'none',
  }),
  timeSeries('Tokens', {
    description: 'Access tokens issued to providers, and rejected requests for one.',
    queries: [
      line('issued', 'route="/oauth/token"'),
      [orZero(sumRate(requests('count', 'status=~"4.."', 'route="/oauth/token"'))), 'rejected'],
    ],
    unit: 'reqps',
  }),
]);

function ofProviders(part, ...matchers) {
  return of(`provider_${part}`, 'provider=~"$provider"', ...matchers);
}

const PROVIDERS = row('Providers', [
  timeSeries('Requests by provider', {
    description:
      'The ten busiest providers. If one sends nothing for longer than its interval (Entra ID: 40 minutes), its provisioning has stopped: look there. _other: providers beyond the first 200 of a process.',
    queries: [[top(sumRate(ofProviders('requests_total'), 'provider')), '{{provider}}']],
    unit: 'reqps',
  }),
  timeSeries('Rejected and failed by provider', {
    description:
      'Answers with 4xx and 5xx. 400, 409: the provider’s data is invalid or in conflict. 429: it has more requests under way than its share. 503: the database.',
    queries: [
      [
        top(sumRate(ofProviders('requests_total', 'status=~"4..|5.."'), 'provider', 'status')),
        '{{provider}} {{status}}',
      ],
    ],
    unit: 'reqps',
  }),
  timeSeries('Latency by provider', {
    description:
      '99th percentile of the ten slowest providers. If it is only one, its groups are large, or it reaches its share.',
    queries: [[top(quantile(0.99, ofProviders('request_duration_seconds_bucket'), 'provider')), '{{provider}}']],
    unit: 's',
  }),
]);

const NAMESPACES = row('Bindings, deprovisioning, access', [
  timeSeries('Bindings', {
    description: 'Grants created and removed by namespace admins. Provisioning creates none.',
    queries: [
      line('added', 'method="POST"', 'route="/api/v1/bindings"'),
      line('removed', 'method="DELETE"', 'route="/api/v1/bindings"'),
    ],
    unit: 'reqps',
  }),
  timeSeries('Deprovisioning', {
    description:
      'Users deactivated by admins, and reconciliations. Without reconciliation, the memberships of deactivated users stay.',
    queries: [
      line('deactivated', 'route="/api/v1/providers/:provider/users/:user/deactivate"'),
      line('reconciled', 'route="/api/v1/providers/:provider/reconcile"'),
    ],
    unit: 'reqps',
  }),
  timeSeries('Access questions', {
    description: 'Access checks.',
    queries: [[top(sumRate(requests('count', 'route=~"/api/v1/(access/.*|relationships)"'), 'route')), '{{route}}']],
    unit: 'reqps',
  }),
]);

const ACCESS = row('Access and throttling', [
  ...accessPanels(),
  timeSeries('Throttled requests', {
    description:
      'Answers with 429: one provider has more requests under way than its share (SVC_STORE_CONNECTIONS_PER_PROVIDER), others are not affected. If it lasts, raise the share, or let the provider use fewer connections.',
    queries: [[top(sumRate(requests('count', 'status="429"'), 'method', 'route')), '{{method}} {{route}}']],
    unit: 'reqps',
  }),
  timeSeries('Store away', {
    description:
      'Answers with 503, and failed readiness probes. The database is unreachable or has no free connection: repair it; services need no restart.',
    queries: [
      [orZero(sumRate(requests('count', 'status="503"'))), '503'],
      [
        orZero(sumRate(of('http_request_duration_seconds_count', 'route="/health/ready"', 'status="503"'))),
        'not ready',
      ],
    ],
    unit: 'reqps',
  }),
]);

export const SCIM_SERVICE = dashboard({
  name: 'scim-service',
  title: 'SCIM service',
  description: 'Requests of identity providers and admins: how many, how fast, which fail, and what they change.',
  alerts: ALERTS,
  variables: VARIABLES,
  rows: [
    overviewRow(ALERTS, STATS),
    requestsRow(),
    latencyRow(),
    PROVIDERS,
    PROVISIONING,
    NAMESPACES,
    ACCESS,
    storeRow(),
    processRow(),
  ],
});
