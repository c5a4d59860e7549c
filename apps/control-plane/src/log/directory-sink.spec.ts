import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../test/support/log-samples.js';
import { DirectorySink } from './directory-sink.js';
import { segmentName } from './segment.js';

describe(DirectorySink.name, () => {
  it('keeps segments and lists them in order', async () => {
    await using directory = await temporaryDirectory();
    const sink = new DirectorySink(join(directory.path, 'new', 'deep'));

    expect(await sink.list()).toEqual([]);
    expect(await sink.create(segmentName(10), 'second')).toBe(true);
    expect(await sink.create(segmentName(2), 'first\u20ac')).toBe(true);

    expect(await sink.list()).toEqual([segmentName(2), segmentName(10)]);
    expect(await sink.read(segmentName(2))).toBe('first\u20ac');
  });

  it('leaves a segment alone that is there already', async () => {
    await using directory = await temporaryDirectory();
    const sink = new DirectorySink(directory.path);
    await sink.create(segmentName(1), 'mine');

    expect(await sink.create(segmentName(1), 'yours')).toBe(false);
    expect(await sink.read(segmentName(1))).toBe('mine');
  });

  it('lets one of many create a segment, and leaves nothing else behind', async () => {
    await using directory = await temporaryDirectory();
    const sink = new DirectorySink(directory.path);

    const results = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => sink.create(segmentName(1), text)));

    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await readdir(directory.path)).toEqual([segmentName(1)]);
  });

  it('lets others of its group read, and nobody else', async () => {
    await using directory = await temporaryDirectory();
    const sink = new DirectorySink(join(directory.path, 'audit'));

    await sink.create(segmentName(1), 'text');

    expect((await stat(join(directory.path, 'audit'))).mode & 0o777).toBe(0o750);
    expect((await stat(join(directory.path, 'audit', segmentName(1)))).mode & 0o777).toBe(0o640);
  });

  it('removes what a crash left behind, but nothing of somebody who still writes', async () => {
    await using directory = await temporaryDirectory();
    const [old, fresh] = ['old', 'fresh'].map((id) => join(directory.path, `.${segmentName(1)}.${id}.tmp`));
    await writeFile(old ?? '', 'half');
    await writeFile(fresh ?? '', 'half');
    await utimes(old ?? '', 0, 0);

    expect(await new DirectorySink(directory.path).list()).toEqual([]);

    expect(await readdir(directory.path)).toEqual([`.${segmentName(1)}.fresh.tmp`]);
  });

  it('is unavailable when the path is not a directory', async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, 'file');
    await writeFile(path, '');
    const sink = new DirectorySink(path);

    const unavailable = { code: 'AUDIT_BACKEND_UNAVAILABLE', location: `file://${path}` };
    await expect(sink.list()).rejects.toMatchObject(unavailable);
    await expect(sink.create(segmentName(1), 'text')).rejects.toMatchObject(unavailable);
    await expect(sink.read(segmentName(1))).rejects.toMatchObject(unavailable);
  });
});
