import { row } from './dashboard.mjs';
import { of, sumRate } from './expressions.mjs';
import { timeSeries } from './panels.mjs';

/** Of the chosen backends. */
export function ofBackend(metric, ...matchers) {
  return of(metric, 'backend=~"$backend"', ...matchers);
}

/** What pools and sessions do with connections; by backend, of all namespaces together. */
export const POOLS = row('Pools and sessions', [
  timeSeries('Acquisitions by result', {
    description:
      'Attempts to get a connection from a pool. timed_out, rejected: the namespace has too much work under way, or the cap is too small. unavailable: the backend is unreachable.',
    queries: [[sumRate(ofBackend('isolation_acquisitions_total'), 'backend', 'result'), '{{backend}} {{result}}']],
    unit: 'reqps',
  }),
  timeSeries('Mean wait', {
    description: 'Average time that work waits for a connection, including the time to open one.',
    queries: [
      [
        `${sumRate(ofBackend('isolation_wait_seconds_total'), 'backend')} / ${sumRate(ofBackend('isolation_acquisitions_total', 'result="acquired"'), 'backend')}`,
        '{{backend}}',
      ],
    ],
    unit: 's',
  }),
  timeSeries('Acquisitions that wait', {
    description: 'Per second: acquisitions that found no idle connection of the namespace.',
    queries: [[sumRate(ofBackend('isolation_waits_total'), 'backend'), '{{backend}}']],
    unit: 'reqps',
  }),
  timeSeries('Connections made', {
    description:
      'Opened connections and failed attempts per second. If many are opened, namespaces compete for a cap that is too small, or idle_timeout is too short.',
    queries: [
      [sumRate(ofBackend('isolation_connections_opened_total'), 'backend'), '{{backend}} made'],
      [sumRate(ofBackend('isolation_connections_failed_total'), 'backend'), '{{backend}} failed'],
    ],
    unit: 'reqps',
  }),
  timeSeries('Connections closed', {
    description:
      'Closed connections per second. evicted, handed_over: for another namespace, as the cap is used up. reaped: it was unused. expired: its age. discarded: its state was in doubt, or it was lost.',
    queries: [
      [sumRate(ofBackend('isolation_connections_closed_total'), 'backend', 'reason'), '{{backend}} {{reason}}'],
    ],
    unit: 'reqps',
  }),
  timeSeries('Sessions', {
    description: 'At the isolation level session; at max, new ones are rejected.',
    queries: [
      [`sum(${of('isolation_sessions')})`, 'sessions'],
      [`sum(${of('isolation_sessions_max')})`, 'max'],
    ],
    unit: 'none',
  }),
  timeSeries('Attempts at sessions of others', {
    description:
      'Rejected requests per second for a session of another client or namespace. Anything but zero is a faulty client or an attack.',
    queries: [[sumRate(of('isolation_sessions_foreign_attempts_total'), 'instance'), '{{instance}}']],
    unit: 'reqps',
  }),
]);
