import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readRecords, type FileRecord, type RecordsOptions } from './records.js';

describe(readRecords.name, () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'palisade-records-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function read(content: string | Buffer, options: Partial<RecordsOptions> = {}): Promise<FileRecord[]> {
    const path = join(directory, 'input');
    await writeFile(path, content);
    const all = { start: 0, firstNumber: 1, hasQuotes: false, maxRecordBytes: 1000, ...options };
    const records: FileRecord[] = [];
    for await (const record of readRecords(path, all)) {
      records.push(record);
    }
    return records;
  }

  it('says where each record ends', async () => {
    expect(await read('é\r\nb')).toEqual([
      { text: 'é', endOffset: 4, number: 1 },
      { text: 'b', endOffset: 5, number: 2 },
    ]);
  });

  it('goes on where it was', async () => {
    expect(await read('a\nb\n', { start: 2, firstNumber: 2 })).toEqual([{ text: 'b', endOffset: 4, number: 2 }]);
  });

  it('skips empty lines, but counts them', async () => {
    expect(await read('\n\r\na\n')).toEqual([{ text: 'a', endOffset: 5, number: 3 }]);
  });

  it('leaves out a byte order mark', async () => {
    expect((await read('\ufeffa'))[0]?.text).toBe('a');
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

  it('refuses quotes that do not end', async () => {
    await expect(read('a\n"b', { hasQuotes: true })).rejects.toThrow('record 2 ends within quotes');
  });

  it('refuses a record that is too long', async () => {
    await expect(read(`a\n${'b'.repeat(11)}`, { maxRecordBytes: 10 })).rejects.toThrow(
      'record 2 has more than 10 bytes',
    );
  });
});
