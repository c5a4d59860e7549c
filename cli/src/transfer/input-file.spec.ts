import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findFormat, readInput, sizeOf, type Format, type InputRecord } from './input-file.js';
import { START, type Position } from './records.js';
import { RESOURCE_KINDS } from './resource-kind.js';

describe(readInput.name, () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'palisade-input-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function read(text: string, format: Format, position: Position = START) {
    const path = join(directory, 'input');
    await writeFile(path, text);
    const records: InputRecord[] = [];
    const options = { kind: RESOURCE_KINDS.users, format, position, maxRecordBytes: 1_000_000 };
    for await (const record of readInput(path, options)) {
      records.push(record);
    }
    return records;
  }

  const CSV = 'externalId,userName\r\n"1\r\n",ann\r\n2,ben\r\n';

  it('goes on in a CSV file with the columns that it begins with', async () => {
    const all = await read(CSV, 'csv');
    expect(all.map(({ number, line, resource }) => [number, line, resource?.['userName']])).toEqual([
      [2, 2, 'ann'],
      [3, 4, 'ben'],
    ]);
    const rest = await read(CSV, 'csv', all[0]?.end);
    expect(rest).toEqual(all.slice(1));
  });

  it.each([
    ['[]', 'expected a JSON object'],
    ['{', 'it is not JSON'],
    [
      `{"externalId":"a","userName":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'expected at most 32 levels',
    ],
    ['{"userName":"a"}', 'externalId is missing'],
    ['{"externalId":7,"userName":"a"}', 'externalId is missing'],
    ['{"externalId":"a"}', 'userName is missing'],
  ])('says what is wrong with %j', async (text, problem) => {
    expect((await read(text, 'ndjson')).map((record) => record.problem)).toEqual([problem]);
  });

  it('rejects an empty CSV file', async () => {
    await expect(read('', 'csv')).rejects.toThrow('expected column names');
  });
});

describe(sizeOf.name, () => {
  it.each([tmpdir(), '/dev/null', join(tmpdir(), 'palisade-there-is-no-such-file')])('rejects %s', async (path) => {
    await expect(sizeOf(path)).rejects.toThrow('cannot read');
  });
});

describe(findFormat.name, () => {
  it('reads the name of the file unless it is told', () => {
    expect([findFormat('a.CSV', undefined), findFormat('a.csv', 'ndjson')]).toEqual(['csv', 'ndjson']);
  });

  it('rejects to guess', () => {
    expect(() => findFormat('users.txt', undefined)).toThrow('--format');
  });
});
