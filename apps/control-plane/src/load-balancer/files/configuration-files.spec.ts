import * as nodeFiles from 'node:fs/promises';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RejectedStateError } from '../load-balancer.errors.js';
import { renderFile, OWNERSHIP_MARK } from '../rendering/rendered-file.js';
import { SOLE_LEADER } from './leader.js';
import type { ClaimedFiles } from './claimed-files.js';
import { ConfigurationFiles } from './configuration-files.js';

const MARK = '.haproxy.cfg.epoch-0';
let directory: string;
let main: string;
let map: string;
let files: ConfigurationFiles;
let claimed: ClaimedFiles;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'palisade-files-'));
  main = join(directory, 'haproxy.cfg');
  map = join(directory, 'haproxy.map');
  files = new ConfigurationFiles(main);
  claimed = await files.claim(SOLE_LEADER);
});
afterEach(() => rmSync(directory, { recursive: true }));

const rendered = async (ofMain: string, ofMap: string) => [
  await renderFile(map, [ofMap]),
  await renderFile(main, [ofMain]),
];
/** All but the mark of whoever has claimed them. */
const names = () => readdirSync(directory).filter((name) => name !== MARK);
const read = (path: string) => readFileSync(path, 'utf8');
async function install(ofMain: string, ofMap: string): Promise<void> {
  await using staged = await claimed.stage(await rendered(ofMain, ofMap));
  await staged.install();
}

describe(ConfigurationFiles.name, () => {
  it('changes nothing before files are installed', async () => {
    await install('old', 'old map');
    {
      await using staged = await claimed.stage(await rendered('new', 'new map'));
      expect([read(staged.pathOf(main)), read(main), read(map)]).toEqual(['new', 'old', 'old map']);
    }
    expect([read(main), read(map)]).toEqual(['old', 'old map']);
  });

  it('leaves nothing behind but the files', async () => {
    await install('new', 'new map');
    expect(names().sort()).toEqual(['haproxy.cfg', 'haproxy.map']);
    expect(readdirSync(join(directory, MARK))).toEqual([]);
  });

  it('knows where the coming content of each file can be read', async () => {
    await install('old', 'old map');
    const [, ofMain] = await rendered('new', '');
    await using staged = await claimed.stage(ofMain === undefined ? [] : [ofMain]);
    expect([staged.has(main), staged.has(map), staged.pathOf(map)]).toEqual([true, false, map]);
    expect(staged.pathOf(main)).not.toBe(main);
  });

  it('removes what is only there to be tried', async () => {
    {
      await using staged = await claimed.stage([]);
      expect(read(await staged.addTrial('trial.cfg', ['a', 'b']))).toBe('ab');
    }
    expect(names()).toEqual([]);
  });

  it('installs once', async () => {
    await using staged = await claimed.stage(await rendered('new', 'new map'));
    await staged.install();
    await expect(staged.install()).resolves.toBeUndefined();
  });

  it('finds the files whose content is another one', async () => {
    await install('old', 'same');
    const outdated = await files.outdated(await rendered('new', 'same'));
    expect(outdated.map(({ path }) => path)).toEqual([main]);
  });

  it('finds files that are missing', async () => {
    expect(await files.outdated(await rendered('a', 'b'))).toHaveLength(2);
  });

  it('brings back what was installed', async () => {
    await install('old', 'old map');
    await claimed.keepLastGood([map, main]);
    await install('new', 'new map');
    expect(await claimed.restoreLastGood([map, main])).toBe(true);
    expect([read(main), read(map)]).toEqual(['old', 'old map']);
  });

  it('brings back what is known to be good, whatever was written over it', async () => {
    const known = await rendered('old', 'old map');
    await install('old', 'old map');
    writeFileSync(main, 'by hand');
    await claimed.keepLastGood([map, main], known);
    await claimed.restoreLastGood([map, main]);
    expect(read(main)).toBe('old');
  });

  it('puts copies in place only when they survive a power failure', async () => {
    await install('old', 'old map');
    const steps: string[] = [];
    const fileSystem = {
      ...nodeFiles,
      open: async (path: string, flags?: string | number, mode?: number) => {
        const file = await nodeFiles.open(path, flags, mode);
        const sync = file.sync.bind(file);
        return Object.assign(file, { sync: () => (steps.push(`sync ${basename(path)}`), sync()) });
      },
      rename: (from: string, to: string) => (steps.push(`rename ${basename(from)}`), nodeFiles.rename(from, to)),
    };
    const watched = await new ConfigurationFiles(main, fileSystem as typeof nodeFiles).claim(SOLE_LEADER);
    await watched.keepLastGood([main]);
    await watched.restoreLastGood([main]);
    expect(steps.slice(0, 4)).toEqual([
      'sync haproxy.cfg.last-good.new',
      'rename haproxy.cfg.last-good.new',
      'sync haproxy.cfg.new',
      'rename haproxy.cfg.new',
    ]);
  });

  it('has nothing to bring back at first', async () => {
    await claimed.keepLastGood([map, main]);
    await install('new', 'new map');
    expect(await claimed.restoreLastGood([map, main])).toBe(false);
    expect(read(main)).toBe('new');
  });

  it('removes a file that was not there', async () => {
    writeFileSync(main, 'old');
    await claimed.keepLastGood([map, main]);
    await install('new', 'new map');
    await claimed.restoreLastGood([map, main]);
    expect(names().sort()).toEqual(['haproxy.cfg', 'haproxy.cfg.last-good']);
  });

  it.each(['', '\n', `# ${OWNERSHIP_MARK}\nglobal\n`])('may overwrite %j', async (text) => {
    writeFileSync(main, text);
    await expect(files.requireOwnership()).resolves.toBeUndefined();
  });

  it('may write a file that is not there', async () => {
    await expect(files.requireOwnership()).resolves.toBeUndefined();
  });

  it.each(['global\n', `${' '.repeat(2000)}\n# ${OWNERSHIP_MARK}`, `${'#'.repeat(2000)}\n# ${OWNERSHIP_MARK}`])(
    'may not overwrite what somebody else has written (%#)',
    async (text) => {
      writeFileSync(main, `x${text}`);
      await expect(files.requireOwnership()).rejects.toThrow(RejectedStateError);
    },
  );
});
