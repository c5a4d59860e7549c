import { describe, expect, it } from '@jest/globals';
import { ImportReport } from './import-report.js';

describe(ImportReport.name, () => {
  function create(
    isTerminal: boolean,
    times: readonly number[] = [0],
  ): { report: ImportReport; out: string[]; error: string[] } {
    const [out, error]: [string[], string[]] = [[], []];
    const clock = times.values();
    const context = {
      env: {},
      out: (text: string) => void out.push(text),
      error: (text: string) => void error.push(text),
      isTerminal,
      now: () => clock.next().value ?? 0,
      signal: new AbortController().signal,
    };
    return { report: new ImportReport(context, 100), out, error };
  }

  it('shows a bar to people, apart from the output', () => {
    const { report, out, error } = create(true);
    report.progress({ present: 5, failed: 0, offset: 50 });
    expect([out, error]).toEqual([[], [`\r[${'#'.repeat(15)}${'.'.repeat(15)}] 50 % 5 records\u001b[K`]]);
  });

  it('says how fast it is and how long it takes, from where this run began', () => {
    const { report, error } = create(true, [0, 1000, 3000]);
    report.begin({ present: 1000, failed: 0, offset: 20 });
    report.progress({ present: 1200, failed: 0, offset: 60 });
    expect(error.at(-1)).toContain('60 % 1200 records, 100/s, 2 s left');
  });

  it('says where it stopped, when there is something to resume', () => {
    const { report, out } = create(false);
    report.stopped({ present: 0, failed: 0, offset: 0 });
    report.stopped({ present: 2, failed: 1, offset: 9 });
    expect(out).toEqual(['{"event":"stopped","records":3}\n']);
  });

  it('writes JSON lines to programs', () => {
    const { report, out } = create(false);
    report.progress({ present: 4, failed: 1, offset: 50 });
    expect(out).toEqual(['{"event":"progress","records":5,"present":4,"failed":1,"offset":50,"bytes":100}\n']);
  });

  it('lets no external id steer the terminal', () => {
    const { report, error } = create(true);
    report.failed({ number: 1, line: 2 }, 'a\u001b[2J', 'bad');
    expect(error).toEqual(['\r\u001b[Kline 2 (a\\u{1b}[2J): bad\n']);
  });
});
