import * as nodeFiles from 'node:fs/promises';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SupersededError } from '../load-balancer.errors.js';
import type { Leader } from './leader.js';
import { LeaderMark } from './leader-mark.js';

const leaderOf = (epoch: number, overrides: Partial<Leader> = {}): Leader => ({
  epoch,
  isInTerm: () => true,
  isConfirmed: async () => false,
  ...overrides,
});

describe(LeaderMark.name, () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'palisade-mark-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const markOf = (leader: Leader, fileSystem = {}) =>
    new LeaderMark(join(directory, 'haproxy.cfg'), leader, { ...nodeFiles, ...fileSystem });
  const names = () => readdirSync(directory).sort();

  it('says who has the configuration', async () => {
    expect(await markOf(leaderOf(5)).claim()).toBe(true);
    expect(names()).toEqual(['.haproxy.cfg.epoch-5']);
  });

  it('can be claimed again without a change', async () => {
    await markOf(leaderOf(5)).claim();
    expect(await markOf(leaderOf(5)).claim()).toBe(false);
  });

  it('removes what an earlier leader has prepared', async () => {
    const earlier = markOf(leaderOf(5));
    await earlier.claim();
    writeFileSync(join(earlier.path, 'half'), 'a');
    expect(await markOf(leaderOf(6)).claim()).toBe(true);
    expect(names()).toEqual(['.haproxy.cfg.epoch-6']);
    expect(readdirSync(join(directory, '.haproxy.cfg.epoch-6'))).toEqual([]);
    await expect(earlier.check()).rejects.toBeInstanceOf(SupersededError);
  });

  it('cannot be claimed by an earlier leader, which leaves nothing behind', async () => {
    const later = markOf(leaderOf(6));
    await later.claim();
    await expect(markOf(leaderOf(5)).claim()).rejects.toBeInstanceOf(SupersededError);
    expect(names()).toEqual(['.haproxy.cfg.epoch-6']);
    await expect(later.check()).resolves.toBeUndefined();
  });

  it('goes to a smaller epoch that is confirmed, as the epochs have started again', async () => {
    await markOf(leaderOf(57)).claim();
    await markOf(leaderOf(1, { isConfirmed: async () => true })).claim();
    expect(names()).toEqual(['.haproxy.cfg.epoch-1']);
  });

  it('cannot be claimed, and is given up, when the term is over by the own clock', async () => {
    let isInTerm = true;
    const mark = markOf(leaderOf(5, { isInTerm: () => isInTerm }));
    await mark.claim();
    isInTerm = false;
    await expect(mark.check()).rejects.toBeInstanceOf(SupersededError);
    await expect(mark.claim()).rejects.toBeInstanceOf(SupersededError);
  });

  it('goes to one of two that claim at the same time, and to the later one if both have looked', async () => {
    const arrived = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const slow = markOf(leaderOf(5), {
      readdir: async (path: string) => {
        const found = await nodeFiles.readdir(path);
        arrived.resolve();
        await held.promise;
        return found;
      },
    });
    const slowClaim = slow.claim();
    await arrived.promise;
    await markOf(leaderOf(6)).claim();
    held.resolve();
    await slowClaim;
    await expect(slow.check()).rejects.toBeInstanceOf(SupersededError);
    expect(names()).toEqual(['.haproxy.cfg.epoch-6']);
  });

  it('is removed by the next leader, whatever a leader that was killed has left in it', async () => {
    const earlier = markOf(leaderOf(5));
    await earlier.claim();
    mkdirSync(join(earlier.path, 'superseded-4', 'staging'), { recursive: true });
    await markOf(leaderOf(6)).claim();
    expect(existsSync(earlier.path)).toBe(false);
  });

  it('leaves marks of other configurations in the directory alone', async () => {
    mkdirSync(join(directory, '.other.cfg.epoch-9'));
    mkdirSync(join(directory, '.haproxy.cfg.epoch-x'));
    await markOf(leaderOf(5)).claim();
    expect(names()).toEqual(['.haproxy.cfg.epoch-5', '.haproxy.cfg.epoch-x', '.other.cfg.epoch-9']);
  });
});
