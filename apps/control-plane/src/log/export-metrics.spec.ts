import { describe, expect, it } from '@jest/globals';
import { StoreUnavailableError, type LogEnds, type SealedRecord } from '@palisade/domain';
import { Metrics } from '@palisade/platform';
import { registerExportMetrics, type ExportMetricsSource } from './export-metrics.js';

const WRITTEN_AT = new Date('2026-11-20T08:00:00Z');
const NOW = WRITTEN_AT.getTime() + 90_000;

const RECORD: SealedRecord = {
  position: 8,
  scope: 'control_plane',
  previousHash: 'a',
  hash: 'b',
  seal: 'c',
  timestamp: WRITTEN_AT,
  userId: 'ada',
  action: 'tenant.update',
  resource: 'tenant:acme',
  result: 'success',
};

interface State {
  isLeader?: boolean;
  exportedThrough?: number;
  /** The first and the last position that the store has. */
  first?: number;
  last?: number;
  isUnreachable?: boolean;
}

async function scrape({ isLeader = true, exportedThrough, first = 1, last = 10, isUnreachable = false }: State) {
  const metrics = new Metrics();
  const ends: LogEnds = { removed: { position: first - 1, seal: '' }, head: { position: last, seal: '' } };
  const answer = async <T>(value: T): Promise<T> => {
    if (isUnreachable) {
      throw new StoreUnavailableError(1);
    }
    return value;
  };
  const log: ExportMetricsSource['log'] = {
    ends: () => answer(ends),
    list: ({ after = 0 }) => answer(after < last ? [RECORD] : []),
  };
  registerExportMetrics(metrics, { log, leadership: { isLeader }, exporter: { exportedThrough }, now: () => NOW });
  return (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('control_plane_'));
}

describe(registerExportMetrics.name, () => {
  it('tells how many records are not exported, and how old the oldest of them is', async () => {
    expect(await scrape({ exportedThrough: 7 })).toEqual([
      'control_plane_audit_unexported_records 3',
      'control_plane_audit_export_lag_seconds 90',
    ]);
  });

  it('tells that everything is exported', async () => {
    expect(await scrape({ exportedThrough: 10 })).toEqual([
      'control_plane_audit_unexported_records 0',
      'control_plane_audit_export_lag_seconds 0',
    ]);
  });

  it('does not count records that were removed before they were exported', async () => {
    expect(await scrape({ exportedThrough: 0, first: 5 })).toContain('control_plane_audit_unexported_records 6');
  });

  it.each([
    ['on a replica that does not lead', { exportedThrough: 7, isLeader: false }],
    ['before the export was looked at', {}],
    ['while the store is unreachable', { exportedThrough: 7, isUnreachable: true }],
  ])('tells nothing %s', async (_, state) => {
    expect(await scrape(state)).toEqual([]);
  });
});
