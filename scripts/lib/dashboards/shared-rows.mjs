import { row } from './dashboard.mjs';
import { CHOSEN, of, orZero, quantile, rate, ratio, requests, sumRate, top } from './expressions.mjs';
import { heatmap, stat, states, timeSeries } from './panels.mjs';

const SERVER_ERROR = 'status=~"5.."';
const STATUS_COLORS = { 401: 'purple', 403: 'dark-purple', 429: 'orange' };

/** One series for each alert of the dashboard that is pending or fires. */
function alertStates(alerts, width) {
  const inState = (state) =>
    `max by (alertname) (ALERTS{alertstate="${state}", alertname=~"${alerts.join('|')}", job=~"$job"})`;
  return states('Alerts', {
    description:
      'Firing and pending alerts; empty in normal operation. What to do about each: docs/operations.md, Monitoring.',
    queries: [[`${inState('firing')} * 2 or ${inState('pending')}`, '{{alertname}}']],
    states: [
      ['', 'green'],
      ['pending', 'orange'],
      ['fires', 'red'],
    ],
    steps: [
      { color: 'green', value: null },
      { color: 'orange', value: 1 },
      { color: 'red', value: 2 },
    ],
    width,
    height: 5,
  });
}

/** Whether all is well, at one glance; `stats` are what matters most to this service. */
export function overviewRow(alerts, stats) {
  const up = states('Instances', {
    description:
      'Whether each instance answers Prometheus. When red: its log ends with the reason; configuration errors are listed there completely.',
    queries: [[`max by (instance) (up{${CHOSEN}})`, '{{instance}}']],
    alerts: ['ServiceDown'],
    states: [
      ['down', 'red'],
      ['up', 'green'],
    ],
    width: 12,
    height: 5,
  });
  return row('Overview', [...stats, alertStates(alerts, 12), up]);
}

export function requestStats() {
  return [
    stat('Requests', {
      description: 'Requests per second, without probes and scrapes.',
      queries: [[sumRate(requests('count')), 'requests']],
      unit: 'reqps',
    }),
    stat('Failed requests', {
      description:
        'Share of requests answered with 5xx. When red: take a request_id from an answer or the log and search the log for it; STORE_UNAVAILABLE there means the database.',
      queries: [[ratio(requests('count', SERVER_ERROR), requests('count')), 'failed']],
      alerts: ['ServiceErrors'],
      unit: 'percentunit',
      decimals: 2,
    }),
    stat('99th percentile', {
      description: 'One request in a hundred takes this long or longer. See the row Latency for the routes.',
      queries: [[quantile(0.99, requests('bucket')), 'p99']],
      unit: 's',
    }),
  ];
}

export function requestsRow() {
  return row('Requests', [
    timeSeries('Requests by status', {
      description: 'Answers by status. 499: the client did not wait.',
      queries: [[sumRate(requests('count'), 'status'), '{{status}}']],
      unit: 'reqps',
      colors: STATUS_COLORS,
      isStacked: true,
    }),
    timeSeries('Requests by route', {
      description: 'The ten busiest routes.',
      queries: [[top(sumRate(requests('count'), 'method', 'route')), '{{method}} {{route}}']],
      unit: 'reqps',
    }),
    timeSeries('Failures by route', {
      description:
        'Answers with 5xx. 503 with Retry-After: the database is unreachable or too slow; clients retry. 500: a defect, search the log for its request_id.',
      queries: [
        [top(sumRate(requests('count', SERVER_ERROR), 'status', 'method', 'route')), '{{status}} {{method}} {{route}}'],
      ],
      unit: 'reqps',
    }),
    timeSeries('Failed share', {
      description: 'Share of requests answered with 5xx.',
      queries: [[ratio(requests('count', SERVER_ERROR), requests('count')), 'failed']],
      alerts: ['ServiceErrors'],
      unit: 'percentunit',
    }),
    timeSeries('Rejected requests by route', {
      description:
        'Answers with 4xx, without access and throttling: requests that are invalid, in conflict, or for something that does not exist. docs/status-codes.md says what each means.',
      queries: [
        [
          top(sumRate(requests('count', 'status=~"4..", status!~"401|403|429|499"'), 'status', 'method', 'route')),
          '{{status}} {{method}} {{route}}',
        ],
      ],
      unit: 'reqps',
    }),
    timeSeries('Clients that did not wait', {
      description:
        'Requests whose client disconnected before the answer (499): its timeout is shorter than the answer takes.',
      queries: [[orZero(sumRate(requests('count', 'status="499"'))), '499']],
      unit: 'reqps',
    }),
  ]);
}

export function latencyRow() {
  return row('Latency', [
    timeSeries('Latency', {
      description: 'Percentiles over all requests, from arrival to the end of the answer.',
      queries: [0.5, 0.9, 0.99].map((share) => [quantile(share, requests('bucket')), `p${share * 100}`]),
      unit: 's',
    }),
    timeSeries('Latency by route', {
      description: '99th percentile of the ten slowest routes.',
      queries: [[top(quantile(0.99, requests('bucket'), 'method', 'route')), '{{method}} {{route}}']],
      unit: 's',
    }),
    heatmap('Distribution of latency', {
      description: 'Requests per second by duration.',
      queries: [[sumRate(requests('bucket'), 'le'), '{{le}}']],
      unit: 's',
    }),
  ]);
}

export function accessPanels() {
  return [
    timeSeries('Credentials that were rejected', {
      description:
        '401: no credential, or an invalid, expired or revoked one. 403: a valid one without the right. A steady rate is a client with an old token; a burst may be an attack.',
      queries: [[top(sumRate(requests('count', 'status=~"401|403"'), 'status', 'route')), '{{status}} {{route}}']],
      unit: 'reqps',
    }),
    timeSeries('Share of rejected credentials', {
      description: 'Share of all requests.',
      queries: [[ratio(requests('count', 'status=~"401|403"'), requests('count')), 'rejected']],
      unit: 'percentunit',
    }),
    timeSeries('Unknown routes', {
      description: 'Requests to routes that do not exist: a wrong base URL in a client, or somebody probing.',
      queries: [[orZero(sumRate(requests('count', 'route="unmatched"'))), 'unmatched']],
      unit: 'reqps',
    }),
  ];
}

/** The connections to the database; a service that keeps everything in memory has none. */
export function storeRow() {
  const waits = of('store_wait_seconds_total');
  const acquired = of('store_acquisitions_total', 'result="acquired"');
  return row('Database', [
    timeSeries('Connections', {
      description:
        'Connections of all instances by state: the database must allow as many as cap says. active near the cap: the database is slow, or too few are allowed (scim-service: SVC_STORE_MAX_CONNECTIONS).',
      queries: [
        [`sum by (state) (${of('store_connections')})`, '{{state}}'],
        [`sum(${of('store_connections_max')})`, 'cap'],
      ],
      unit: 'none',
    }),
    timeSeries('In use of the cap', {
      description:
        'By instance. Two connections are reserved for the service itself, so providers alone cannot use all of them.',
      queries: [
        [
          `max by (instance) (${of('store_connections', 'state="active"')}) / on (instance) max by (instance) (${of('store_connections_max')})`,
          '{{instance}}',
        ],
      ],
      unit: 'percentunit',
      max: 1,
    }),
    timeSeries('Operations that wait', {
      description:
        'Operations waiting for a connection, by instance. If it lasts, find out what is slow in the database; then allow scim-service more with SVC_STORE_MAX_CONNECTIONS or, when one provider alone waits, SVC_STORE_CONNECTIONS_PER_PROVIDER.',
      queries: [[of('store_queue_length'), '{{instance}}']],
      alerts: ['StoreOperationsWaiting'],
      unit: 'none',
    }),
    timeSeries('Failing writes', {
      description:
        '1: changes fail because the database has no disk or memory left; reads are served. By instance, until a minute after the last such error.',
      queries: [[of('store_writes_failing'), '{{instance}}']],
      alerts: ['StoreWritesFailing'],
      unit: 'none',
    }),
    timeSeries('Acquisitions by result', {
      description:
        'Attempts of operations to get a connection. timed_out and rejected: a provider has too much under way, or the database is too slow. unavailable: it is unreachable.',
      queries: [[sumRate(of('store_acquisitions_total'), 'result'), '{{result}}']],
      unit: 'reqps',
    }),
    timeSeries('Mean wait', {
      description: 'Average time that an operation waits for a connection.',
      queries: [[`${sumRate(waits, 'instance')} / ${sumRate(acquired, 'instance')}`, '{{instance}}']],
      unit: 's',
    }),
    timeSeries('Duration of operations', {
      description:
        'For how long operations have a connection: what their statements take. Waiting for it is not part of it. Rises: the database is slow, or one kind of operation; traces tell which.',
      queries: [0.5, 0.9, 0.99].map((share) => [
        quantile(share, of('store_operation_duration_seconds_bucket')),
        `p${share * 100}`,
      ]),
      unit: 's',
    }),
    timeSeries('Operations', {
      description: 'A second, over all instances. A request to the API is one or a few.',
      queries: [[sumRate(of('store_operation_duration_seconds_count'), 'instance'), '{{instance}}']],
      unit: 'reqps',
    }),
    timeSeries('Connections made', {
      description:
        'A second, and attempts that failed. Many made: they are idle for too long to be kept, or something between here and the database ends them.',
      queries: [
        [sumRate(of('store_connections_opened_total')), 'made'],
        [sumRate(of('store_connections_failed_total')), 'failed'],
      ],
      unit: 'reqps',
    }),
  ]);
}

/** The process and its runtime, by instance. */
export function processRow() {
  const by = '{{instance}}';
  return row('Process', [
    timeSeries('CPU', {
      description: 'Cores in use. Near 1 the event loop is busy: add replicas.',
      queries: [[`sum by (instance) (${rate(of('process_cpu_seconds_total'))})`, by]],
      unit: 'none',
    }),
    timeSeries('Memory', {
      description:
        'Resident memory, and the part of it that is heap of JavaScript. Rises without end: take a heap snapshot, compare with the limit of the container.',
      queries: [
        [of('process_resident_memory_bytes'), `resident ${by}`],
        [of('nodejs_heap_size_used_bytes'), `heap used ${by}`],
        [of('nodejs_heap_size_total_bytes'), `heap ${by}`],
      ],
      unit: 'bytes',
    }),
    timeSeries('Event loop lag', {
      description:
        'How late timers run, 99th percentile. Every request waits that long: too much work for one replica, or one operation that takes long without a pause.',
      queries: [[of('nodejs_eventloop_lag_p99_seconds'), by]],
      unit: 's',
    }),
    timeSeries('Garbage collection', {
      description: 'Share of time that goes into it. More than a tenth: the heap is too small for what it holds.',
      queries: [[`sum by (instance, kind) (${rate(of('nodejs_gc_duration_seconds_sum'))})`, `{{kind}} ${by}`]],
      unit: 'percentunit',
    }),
    timeSeries('Open files', {
      description: 'Sockets and files, against what the process may have. Near the limit connections are refused.',
      queries: [
        [of('process_open_fds'), `open ${by}`],
        [of('process_max_fds'), `limit ${by}`],
      ],
    }),
    timeSeries('Starts', {
      description: 'Starts within an hour. More than deployments explain: see the log for the end before.',
      queries: [[`changes(${of('process_start_time_seconds')}[1h])`, by]],
      steps: [
        { color: 'green', value: null },
        { color: 'orange', value: 3 },
      ],
      unit: 'none',
    }),
  ]);
}
