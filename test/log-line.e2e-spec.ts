import { describe, expect, it } from '@jest/globals';
import { formatLogLine } from '../scripts/lib/log-line.mjs';

describe(formatLogLine.name, () => {
  const cause = {
    type: 'Error',
    message: 'connect ECONNREFUSED',
    stack: 'Error: connect ECONNREFUSED\n    at connect',
  };
  const err = {
    type: 'StoreUnavailableError',
    message: 'away',
    stack: 'StoreUnavailableError: away\n    at query',
    cause,
  };

  /** What is shown of a line, without the time. */
  function shown(record: object): string {
    return formatLogLine('control-plane', JSON.stringify({ time: '2026-01-01T00:00:00.000Z', ...record })).slice(9);
  }

  it('shows a request in one line', () => {
    const request = { level: 'info', msg: 'request', method: 'GET', path: '/api/v1/pools', status: 200, ms: 3 };
    expect(shown(request)).toBe('control GET /api/v1/pools 200 3 ms');
  });

  it('shows why there is a warning, and not where in the code', () => {
    expect(shown({ level: 'warn', msg: 'no answer', err })).toBe(
      'control WARN no answer\n  StoreUnavailableError: away\n  caused by Error: connect ECONNREFUSED',
    );
  });

  it('shows where in the code an error comes from', () => {
    expect(shown({ level: 'error', msg: 'failed', err })).toBe(
      'control ERROR failed\n  StoreUnavailableError: away\n    at query\n' +
        '  caused by Error: connect ECONNREFUSED\n    at connect',
    );
  });

  it('shows what is no line of a log as it is', () => {
    expect(formatLogLine('data-proxy', 'plain')).toBe('         data-proxy plain');
  });
});
