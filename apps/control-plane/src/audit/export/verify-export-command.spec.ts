import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { MemoryStore } from '@palisade/storage';
import { appendActions, temporaryDirectory } from '../../../test/support/audit-samples.js';
import { AuditExporter } from './audit-exporter.js';
import { openSink } from './open-sink.js';
import { segmentName } from './segment.js';
import { runVerifyExport } from './verify-export-command.js';

async function exportTo(directory: string): Promise<string> {
  const { actions } = new MemoryStore();
  await appendActions(actions, 3);
  await new AuditExporter(actions, await openSink(pathToFileURL(directory))).exportAll(new AbortController().signal);
  return (await actions.ends()).head.hash;
}

describe(runVerifyExport.name, () => {
  it('tells that an export is whole, and its last hash', async () => {
    await using directory = await temporaryDirectory();
    const hash = await exportTo(directory.path);

    expect(await runVerifyExport(pathToFileURL(directory.path).href)).toEqual({
      output: `whole: 3 records in 1 segments, sequence 1 to 3, the last with hash ${hash}\n`,
      messages: [],
      exitCode: 0,
    });
  });

  it('ends with 1 when it is not', async () => {
    await using directory = await temporaryDirectory();
    await exportTo(directory.path);
    await writeFile(join(directory.path, segmentName(1)), 'something else');

    expect(await runVerifyExport(pathToFileURL(directory.path).href)).toEqual({
      output: `BROKEN at sequence 1 in ${segmentName(1)} (segment)\n`,
      messages: [],
      exitCode: 1,
    });
  });

  it('tells that nothing is exported', async () => {
    await using directory = await temporaryDirectory();

    expect(await runVerifyExport(pathToFileURL(directory.path).href)).toMatchObject({
      output: 'whole: nothing is exported\n',
      exitCode: 0,
    });
  });

  it('ends with 2 when it cannot be read', async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, 'file');
    await writeFile(file, '');

    expect(await runVerifyExport(pathToFileURL(file).href)).toMatchObject({ output: '', exitCode: 2 });
  });

  it.each(['', 'audit', 'https://example.com/audit', '/var/audit'])('refuses the location %j', async (location) => {
    expect(await runVerifyExport(location)).toMatchObject({ output: '', exitCode: 2 });
  });
});
