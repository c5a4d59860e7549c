import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { findConnectionAlerts, findRequestAlerts } from './find-alerts.js';

const ACME = parseNamespaceId('acme');

describe(findConnectionAlerts.name, () => {
  it.each([
    [9, 10, 0],
    [10, 10, 1],
    [91, 100, 1],
    [90, 100, 0],
    [1, 1, 1],
    [0, 5, 0],
  ])('%i of %i connections in use: %i alerts', (active, max, alerts) => {
    expect(findConnectionAlerts([{ backend: 'fake', active, idle: 0, max, queued: 0 }], ACME)).toHaveLength(alerts);
  });

  it('warns of the backend and the namespace', () => {
    expect(findConnectionAlerts([{ backend: 'fake', active: 5, idle: 0, max: 5, queued: 2 }], ACME)).toEqual([
      { kind: 'connections', severity: 'warning', namespace: 'acme', backend: 'fake', value: 1, threshold: 0.9 },
    ]);
  });
});

describe(findRequestAlerts.name, () => {
  it.each([
    [{ requests: 100, errors: 5, slow: 0 }, []],
    [{ requests: 100, errors: 6, slow: 0 }, ['critical error_rate 0.06']],
    [{ requests: 100, errors: 0, slow: 1 }, []],
    [{ requests: 100, errors: 0, slow: 2 }, ['warning latency 0.02']],
    [{ requests: 1, errors: 1, slow: 1 }, ['critical error_rate 1', 'warning latency 1']],
    [{ requests: 0, errors: 0, slow: 0 }, []],
  ])('%j: %j', (sums, alerts) => {
    const found = findRequestAlerts(sums, ACME).map(({ severity, kind, value }) => `${severity} ${kind} ${value}`);
    expect(found).toEqual(alerts);
  });
});
