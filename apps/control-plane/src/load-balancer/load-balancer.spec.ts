import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HostAddresses } from './host-addresses.js';
import { ConfigurationChange } from './configuration-change.js';
import type { DesiredState } from '../routing/table/desired-state.js';
import { NotRunningError, ReloadFailedError } from './load-balancer.errors.js';
import { ConfigurationFiles } from './files/configuration-files.js';
import { OWNERSHIP_MARK, hashFiles, renderFile, type Rendering } from './rendering/rendered-file.js';
import { LoadBalancerDriver, type ChangeMethod, type Drift } from './load-balancer-driver.js';
import { LoadBalancer } from './load-balancer.js';
import type { ResolvedState } from './rendering/resolved-state.js';

/** Takes its time for everything, loads when it is let, and notes what it was to do. */
class SlowDriver extends LoadBalancerDriver {
  override readonly type = 'haproxy';
  readonly reloads: string[] = [];
  isSilent = false;
  /** What the next reloads end with. */
  readonly failures: Error[] = [];
  gate: Promise<void> = Promise.resolve();
  atOnce = 0;
  mostAtOnce = 0;

  constructor(private readonly path: string) {
    super();
  }
  override render({ revision }: ResolvedState): Promise<Rendering> {
    return this.slowly(async () => {
      const file = await renderFile(this.path, [`# ${OWNERSHIP_MARK}\n# ${revision}\n`]);
      return { files: [file], hash: hashFiles([file]) };
    });
  }
  override async validate(): Promise<void> {}
  override async classify(): Promise<ChangeMethod> {
    return 'reload';
  }
  override async update(): Promise<void> {}
  override reload(expected: Rendering | undefined): Promise<void> {
    return this.slowly(async () => {
      await this.gate;
      const failure = this.failures.shift();
      if (failure !== undefined) {
        throw failure;
      }
      this.reloads.push(expected?.files[0]?.pieces.join('').split('\n')[1] ?? '');
    });
  }
  override findDrift(): Promise<Drift[]> {
    return this.slowly(async () => {
      if (this.isSilent) {
        throw new Error('no answer');
      }
      return this.reloads.length === 0 || this.failures.length > 0
        ? [{ kind: 'process', detail: 'nothing is loaded' }]
        : [];
    });
  }

  private async slowly<T>(work: () => Promise<T>): Promise<T> {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    await nextTurn();
    try {
      return await work();
    } finally {
      this.atOnce -= 1;
    }
  }
}

const stateOf = (revision: number): DesiredState => ({
  revision,
  pools: [],
  exact: new Map(),
  prefixes: new Map(),
  wildcards: new Map(),
});

describe(LoadBalancer.name, () => {
  let directory: string;
  let driver: SlowDriver;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'palisade-balancer-'));
    driver = new SlowDriver(join(directory, 'main.cfg'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const create = (coalesceMs = 0): LoadBalancer => {
    const change = new ConfigurationChange(driver, new ConfigurationFiles(join(directory, 'main.cfg')));
    return new LoadBalancer(change, new HostAddresses(), { type: 'haproxy', coalesceMs });
  };

  it('makes one change at a time', async () => {
    const balancer = create();
    await Promise.all([
      balancer.apply(stateOf(1), 'a'),
      balancer.reload(stateOf(2), 'b').then(() => balancer.reload(stateOf(3), 'c')),
      balancer.detectDrift(stateOf(1)),
      balancer.preview(stateOf(4)),
    ]);
    expect(driver.mostAtOnce).toBe(1);
  });

  it('makes changes together that come while another one is made', async () => {
    const balancer = create();
    const gate = Promise.withResolvers<void>();
    driver.gate = gate.promise;
    const first = balancer.apply(stateOf(1), 'a');
    // Until the first one has begun.
    while (driver.atOnce === 0) {
      await nextTurn();
    }
    const others = [balancer.apply(stateOf(2), 'b'), balancer.apply(stateOf(3), 'c'), balancer.apply(stateOf(4), 'b')];
    gate.resolve();
    await first;
    const versions = await Promise.all(others);
    expect(versions.map(({ revision, actor }) => [revision, actor])).toEqual([
      [4, 'b, c'],
      [4, 'b, c'],
      [4, 'b, c'],
    ]);
    expect(driver.reloads).toEqual(['# 1', '# 4']);
  });

  it('does not go back to an earlier revision that comes late', async () => {
    const balancer = create(20);
    const [version] = await Promise.all([balancer.apply(stateOf(2), 'a'), balancer.apply(stateOf(1), 'a')]);
    expect(version.revision).toBe(2);
    expect(driver.reloads).toEqual(['# 2']);
  });

  it('does not wait when a reload is asked for', async () => {
    const balancer = create(3_600_000);
    const [applied, reloaded] = await Promise.all([balancer.apply(stateOf(1), 'a'), balancer.reload(stateOf(1), 'b')]);
    expect(applied).toBe(reloaded);
    expect(driver.reloads).toEqual(['# 1']);
  });

  it('tells that a reload of what is served already has changed nothing', async () => {
    const balancer = create();
    await balancer.apply(stateOf(1), 'a');
    const version = await balancer.reload(stateOf(1), 'b');
    expect([version.method, version.result]).toEqual(['reload', 'unchanged']);
    expect(driver.reloads).toEqual(['# 1', '# 1']);
  });

  it('tells that a reload has repaired what somebody else had changed', async () => {
    const balancer = create();
    await balancer.apply(stateOf(1), 'a');
    driver.reloads.length = 0;
    expect(await balancer.reload(stateOf(1), 'b')).toMatchObject({ method: 'reload', result: 'applied' });
  });

  it('reloads what does not answer when it is asked what it does', async () => {
    const balancer = create();
    await balancer.apply(stateOf(1), 'a');
    driver.isSilent = true;
    expect(await balancer.reload(stateOf(1), 'b')).toMatchObject({ method: 'reload', result: 'applied' });
  });

  it('goes back to what was served last, and not to what was only installed', async () => {
    const balancer = create();
    await balancer.apply(stateOf(1), 'a');
    const path = join(directory, 'main.cfg');
    driver.failures.push(
      new NotRunningError('unreachable'),
      new NotRunningError('unreachable'),
      new ReloadFailedError('too bad'),
    );
    await balancer.apply(stateOf(2), 'a');
    expect(readFileSync(path, 'utf8')).toContain('# 2\n');
    await balancer.apply(stateOf(2), 'a');
    const { result } = await balancer.apply(stateOf(3), 'a');
    expect([result, readFileSync(path, 'utf8').split('\n')[1]]).toEqual(['rolled_back', '# 1']);
  });

  it('names five actors at most', async () => {
    const balancer = create(20);
    const [version] = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((actor) => balancer.apply(stateOf(1), actor)),
    );
    expect(version?.actor).toBe('a, b, c, d, e and 2 others');
  });

  it('tells version, revision and hash of what it did last', async () => {
    const balancer = create();
    const version = await balancer.apply(stateOf(7), 'a');
    expect(version).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      revision: 7,
      epoch: 0,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      type: 'haproxy',
      method: 'reload',
      result: 'applied',
      actor: 'a',
      at: expect.any(Date),
      durationMs: expect.any(Number),
    });
    expect(balancer.status()).toMatchObject({ isBusy: false, lastVersion: version });
  });

  it('tells those who listen of changes and of drift', async () => {
    const balancer = create();
    const told: unknown[] = [];
    balancer.listen({
      onChange: ({ revision, result }) => told.push([revision, result]),
      onSearched: (drifts) => told.push(drifts.map(({ kind }) => kind)),
    });
    await balancer.detectDrift(stateOf(1));
    await balancer.apply(stateOf(1), 'a');
    await balancer.detectDrift(stateOf(1));
    expect(told).toEqual([['file', 'process'], [1, 'applied'], []]);
  });

  it('is busy until everything is done', async () => {
    const balancer = create(3_600_000);
    void balancer.apply(stateOf(1), 'a');
    expect(balancer.status().isBusy).toBe(true);
    await balancer.settle();
    expect([balancer.status().isBusy, driver.reloads]).toEqual([false, ['# 1']]);
  });
});
