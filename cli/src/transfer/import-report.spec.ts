import { describe, expect, it } from '@jest/globals';
import { ImportReport } from './import-report.js';

describe(ImportReport.name, () => {
  function create(isTerminal: boolean): { report: ImportReport; out: string[]; error: string[] } {
    const [out, error]: [string[], string[]] = [[], []];
    const session = {
      env: {},
      out: (text: string) => void out.push(text),
      error: (text: string) => void error.push(text),
      isTerminal,
      now: () => 0,
      signal: new AbortController().signal,
    };
    return { report: new ImportReport(session), out, error };
  }

  it('shows a bar to people, apart from the output', () => {
    const { report, out, error } = create(true);
    report.progress({ records: 5, present: 5, failed: 0, offset: 50, bytes: 100 });
    expect([out, error]).toEqual([[], [`\r[${'#'.repeat(15)}${'.'.repeat(15)}] 50 % 5 records`]]);
  });

  it('writes JSON lines to programs', () => {
    const { report, out } = create(false);
    report.progress({ records: 5, present: 4, failed: 1, offset: 50, bytes: 100 });
    expect(out).toEqual(['{"event":"progress","records":5,"present":4,"failed":1,"offset":50,"bytes":100}\n']);
  });

  it('lets no external id steer the terminal', () => {
    const { report, error } = create(true);
    report.failed(1, 'a\u001b[2J', 'bad');
    expect(error).toEqual(['\r\u001b[Krecord 1 (a\\u{1b}[2J): bad\n']);
  });
});
