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
      'How often pools were asked for a connection. timed_out, refused: the namespace has too much under way, or the cap is too small. unavailable: the backend cannot be reached.',
    queries: [[sumRate(ofBackend('isolation_acquisitions_total'), 'backend', 'result'), '{{backend}} {{result}}']],
    unit: 'reqps',
  }),
  timeSeries('Mean wait', {
    description: 'How long work waits until it has its connection, on average; opening one is part of it.',
    queries: [
      [
        `${sumRate(ofBackend('isolation_wait_seconds_total'), 'backend')} / ${sumRate(ofBackend('isolation_acquisitions_total', 'result="acquired"'), 'backend')}`,
        '{{backend}}',
      ],
    ],
    unit: 's',
  }),
  timeSeries('Acquisitions that wait', {
    description: 'A second: no connection of the namespace was idle.',
    queries: [[sumRate(ofBackend('isolation_waits_total'), 'backend'), '{{backend}}']],
    unit: 'reqps',
  }),
  timeSeries('Connections made', {
    description:
      'A second, and attempts that failed. Many made: namespaces take turns at a cap that is too small, or idle_timeout is short.',
    queries: [
      [sumRate(ofBackend('isolation_connections_opened_total'), 'backend'), '{{backend}} made'],
      [sumRate(ofBackend('isolation_connections_failed_total'), 'backend'), '{{backend}} failed'],
    ],
    unit: 'reqps',
  }),
  timeSeries('Connections closed', {
    description:
      'A second. evicted, handed_over: for another namespace, the cap is in use. reaped: nobody used it. expired: its age. discarded: its state was in doubt, or it ended by itself.',
    queries: [
      [sumRate(ofBackend('isolation_connections_closed_total'), 'backend', 'reason'), '{{backend}} {{reason}}'],
    ],
    unit: 'reqps',
  }),
  timeSeries('Sessions', {
    description: 'At the isolation level session; at max new ones are refused.',
    queries: [
      [`sum(${of('isolation_sessions')})`, 'sessions'],
      [`sum(${of('isolation_sessions_max')})`, 'max'],
    ],
    unit: 'none',
  }),
  timeSeries('Attempts at sessions of others', {
    description:
      'A second: somebody asked for a session that belongs to another client or namespace, and was refused. Anything but zero is a wrong client, or somebody who tries.',
    queries: [[sumRate(of('isolation_sessions_foreign_attempts_total'), 'instance'), '{{instance}}']],
    unit: 'reqps',
  }),
]);
