import { describe, expect, it } from '@jest/globals';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { WatchedExporter } from './watched-exporter.js';

const SPAN = {} as ReadableSpan;

/** Fails with each of the errors in turn, and succeeds where there is none. */
function createExporter(errors: (Error | undefined)[]) {
  const lines: string[] = [];
  const target: SpanExporter = {
    export: (_, callback) => {
      const error = errors.shift();
      callback(error === undefined ? { code: 0 } : { code: 1, error });
    },
    shutdown: async () => {},
  };
  const logger = { log: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) };
  return { exporter: new WatchedExporter(target, logger as never), lines };
}

function exportTimes(exporter: WatchedExporter, times: number): number[] {
  const codes: number[] = [];
  for (let each = 0; each < times; each++) {
    exporter.export([SPAN, SPAN], ({ code }) => codes.push(code));
  }
  return codes;
}

describe(WatchedExporter.name, () => {
  it('says once that spans cannot be exported, and once that they can again', () => {
    const rejected = new Error('connect ECONNREFUSED 127.0.0.1:4318');
    const { exporter, lines } = createExporter([undefined, rejected, rejected, rejected, undefined, undefined]);
    expect(exportTimes(exporter, 6)).toEqual([0, 1, 1, 1, 0, 0]);
    expect(lines).toEqual([
      'spans cannot be exported and are lost: connect ECONNREFUSED 127.0.0.1:4318; nothing else is affected',
      'spans are exported again; 6 were lost',
    ]);
  });

  it('says it again of the next outage', () => {
    const { exporter, lines } = createExporter([new Error('a'), undefined, new Error('b')]);
    exportTimes(exporter, 3);
    expect(lines.map((line) => line.includes('cannot'))).toEqual([true, false, true]);
  });

  it('tells the status that a collector answers with, and nothing of the answer', () => {
    const rejected = Object.assign(new Error('Unauthorized'), { code: 401, data: 'hush' });
    const { exporter, lines } = createExporter([rejected]);
    exportTimes(exporter, 1);
    expect(lines).toEqual([expect.stringContaining(': HTTP 401 Unauthorized;')]);
    expect(lines.join()).not.toContain('hush');
  });

  it('keeps the reason on one short line', () => {
    const { exporter, lines } = createExporter([new Error(`a\n${'x'.repeat(1000)}`)]);
    exportTimes(exporter, 1);
    expect(lines[0]).not.toContain('\n');
    expect(lines[0]?.length).toBeLessThan(300);
  });
});
