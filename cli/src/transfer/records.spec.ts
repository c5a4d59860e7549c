import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { START, readRecords, type FileRecord, type RecordsOptions } from './records.js';

describe(readRecords.name, () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'palisade-records-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function read(content: string | Buffer, options: Partial<RecordsOptions> = {}): Promise<FileRecord[]> {
    const path = join(directory, 'input');
    await writeFile(path, content);
    const all = { from: START, hasQuotes: false, maxRecordBytes: 1000, ...options };
    const records: FileRecord[] = [];
    for await (const record of readRecords(path, all)) {
      records.push(record);
    }
    return records;
  }

  it('says where each record ends', async () => {
    expect(await read('é\r\nb')).toEqual([
      { text: 'é', number: 1, line: 1, end: { offset: 4, records: 1, lines: 1 } },
      { text: 'b', number: 2, line: 2, end: { offset: 5, records: 2, lines: 1 } },
    ]);
  });

  it('goes on where it was', async () => {
    const [first, ...others] = await read('\ufeffa\nb\nc');
    expect(await read('\ufeffa\nb\nc', { from: first?.end ?? START })).toEqual(others);
  });

  it('skips empty lines, but counts them', async () => {
    expect(await read('\n\r\na\n')).toMatchObject([{ text: 'a', number: 3, line: 3 }]);
  });

  it('leaves out a byte order mark', async () => {
    expect((await read('\ufeff"a\nb"', { hasQuotes: true })).map(({ text }) => text)).toEqual(['"a\nb"']);
  });

  it('says which record is not UTF-8, and reads the others', async () => {
    const records = await read(Buffer.from([0xff, 0x0a, 0x61]));
    expect(records.map(({ text }) => text)).toEqual([undefined, 'a']);
  });

  it('keeps a record together when it is longer than a chunk of the file', async () => {
    const long = 'é'.repeat(100_000);
    expect((await read(`${long}\nb`, { maxRecordBytes: 1_000_000 })).map(({ text }) => text)).toEqual([long, 'b']);
  });

  it('keeps line ends within quotes', async () => {
    expect((await read('"a\nb",c\nd', { hasQuotes: true })).map(({ text }) => text)).toEqual(['"a\nb",c', 'd']);
  });

  it('counts the lines within quotes', async () => {
    const records = await read('"a\nb",c\nd', { hasQuotes: true });
    expect(records.map(({ number, line }) => [number, line])).toEqual([
      [1, 1],
      [2, 3],
    ]);
  });

  it('takes a quote inside of a field for no beginning of quotes', async () => {
    const records = await read('a,5" pipe\n"x ""y""\nz",b\nc', { hasQuotes: true });
    expect(records.map(({ text }) => text)).toEqual(['a,5" pipe', '"x ""y""\nz",b', 'c']);
  });

  it('says that quotes do not end', async () => {
    expect(await read('a\n"b\nc', { hasQuotes: true })).toMatchObject([
      { text: 'a' },
      { text: undefined, problem: 'its quotes are not closed', line: 2 },
    ]);
  });

  it('says which record is too long, and reads the others', async () => {
    const records = await read(`a\n${'b'.repeat(100_000)}\nc`, { maxRecordBytes: 10 });
    expect(records).toMatchObject([
      { text: 'a' },
      { text: undefined, problem: 'expected at most 10 bytes, found 100001', line: 2 },
      { text: 'c', line: 3 },
    ]);
  });
});
