import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HostAddresses } from './host-addresses.js';
import { ConfigurationChange } from './configuration-change.js';
import type { DesiredState } from '../routing/table/desired-state.js';
import { ReloadFailedError } from './load-balancer.errors.js';
import { ConfigurationFiles } from './files/configuration-files.js';
import { OWNERSHIP_MARK, hashFiles, renderFile, type Rendering } from './rendering/rendered-file.js';
import type { Fence, Leader } from './files/leader.js';
import { LoadBalancerDriver, type ChangeMethod, type Drift } from './load-balancer-driver.js';
import { LoadBalancer } from './load-balancer.js';
import type { ResolvedState } from './rendering/resolved-state.js';

/** A step of a driver that waits until the test lets it go on. */
class Step {
  private readonly reached = Promise.withResolvers<void>();
  private readonly allowed = Promise.withResolvers<void>();

  async pass(): Promise<void> {
    this.reached.resolve();
    await this.allowed.promise;
  }

  get begun(): Promise<void> {
    return this.reached.promise;
  }

  goOn(): void {
    this.allowed.resolve();
  }
}

/** What runs; it takes what the file says when it is reloaded, and single changes from whoever sends them. */
interface Program {
  does: string;
}

/** Does what the interface demands; where a test wants it, it is held up, or fails. */
class HeldDriver extends LoadBalancerDriver {
  override readonly type = 'haproxy';
  method: ChangeMethod = 'reload';
  beforeCommand: Step | undefined;
  afterCommand: Step | undefined;
  isBroken = false;

  constructor(
    private readonly path: string,
    private readonly program: Program,
  ) {
    super();
  }
  override async render({ revision }: ResolvedState): Promise<Rendering> {
    const file = await renderFile(this.path, [`# ${OWNERSHIP_MARK}\n# ${revision}\n`]);
    return { files: [file], hash: hashFiles([file]) };
  }
  override async validate(): Promise<void> {}
  override async classify(): Promise<ChangeMethod> {
    return this.method;
  }
  override async update(_: Rendering | undefined, to: Rendering, fence: Fence): Promise<void> {
    await this.beforeCommand?.pass();
    await fence.check();
    this.program.does = to.files[0]?.pieces.join('') ?? '';
  }
  override async reload(_: Rendering | undefined, fence: Fence): Promise<void> {
    await this.beforeCommand?.pass();
    await fence.check();
    await this.afterCommand?.pass();
    if (this.isBroken) {
      throw new ReloadFailedError('it did not take it');
    }
    this.program.does = readFileSync(this.path, 'utf8');
  }
  override async findDrift({ files }: Rendering): Promise<Drift[]> {
    const isAsWanted = this.program.does === files[0]?.pieces.join('');
    return isAsWanted ? [] : [{ kind: 'process', detail: 'it does something else' }];
  }
}

const stateOf = (revision: number): DesiredState => ({
  revision,
  pools: [],
  exact: new Map(),
  prefixes: new Map(),
  wildcards: new Map(),
});

interface TestReplica {
  readonly driver: HeldDriver;
  readonly balancer: LoadBalancer;
  readonly leader: { -readonly [Key in keyof Leader]: Leader[Key] };
}

describe('two leaders of one load balancer', () => {
  let directory: string;
  let path: string;
  let program: Program;
  let first: TestReplica;
  let second: TestReplica;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'palisade-leaders-'));
    path = join(directory, 'main.cfg');
    program = { does: '' };
    first = replicaOf(1);
    second = replicaOf(2);
    await first.balancer.apply(stateOf(1), 'first');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function replicaOf(epoch: number): TestReplica {
    const driver = new HeldDriver(path, program);
    const change = new ConfigurationChange(driver, new ConfigurationFiles(path));
    const balancer = new LoadBalancer(change, new HostAddresses(), { type: 'haproxy', coalesceMs: 0 });
    const leader = { epoch, isInTerm: () => true, isConfirmed: async () => false };
    balancer.lead(leader);
    return { driver, balancer, leader };
  }
  const installed = () => readFileSync(path, 'utf8').split('\n')[1];
  const served = () => program.does.split('\n')[1];

  it('keep what the later one has done when the earlier one goes on after its reload has hung and failed', async () => {
    first.driver.afterCommand = new Step();
    first.driver.isBroken = true;
    const late = first.balancer.apply(stateOf(2), 'first');
    await first.driver.afterCommand.begun;
    expect(await second.balancer.apply(stateOf(3), 'second')).toMatchObject({ result: 'applied', epoch: 2 });
    first.driver.afterCommand.goOn();
    expect(await late).toMatchObject({
      result: 'failed',
      epoch: 1,
      reason: expect.stringContaining('epoch 1 is over'),
    });
    expect([installed(), served()]).toEqual(['# 3', '# 3']);
  });

  it('keep what the later one has done when the earlier one hung before its command', async () => {
    first.driver.beforeCommand = new Step();
    const late = first.balancer.reload(stateOf(2), 'first');
    await first.driver.beforeCommand.begun;
    await second.balancer.apply(stateOf(3), 'second');
    program.does = `# untouched\n# 3`;
    first.driver.beforeCommand.goOn();
    expect((await late).result).toBe('failed');
    expect([installed(), program.does]).toEqual(['# 3', '# untouched\n# 3']);
  });

  it('keep what the later one has done when the earlier one hung before a change at runtime', async () => {
    first.driver.method = 'maps';
    first.driver.beforeCommand = new Step();
    const late = first.balancer.apply(stateOf(2), 'first');
    await first.driver.beforeCommand.begun;
    await second.balancer.apply(stateOf(3), 'second');
    first.driver.beforeCommand.goOn();
    expect((await late).result).toBe('failed');
    expect([installed(), served()]).toEqual(['# 3', '# 3']);
  });

  it('keep the earlier one out from then on', async () => {
    await second.balancer.apply(stateOf(3), 'second');
    expect(await first.balancer.apply(stateOf(4), 'first')).toMatchObject({ result: 'failed', method: 'none' });
    expect(await first.balancer.reload(stateOf(4), 'first')).toMatchObject({ result: 'failed', method: 'none' });
    expect([installed(), served()]).toEqual(['# 3', '# 3']);
  });

  it('stop at their own clocks where they share nothing', async () => {
    first.driver.afterCommand = new Step();
    first.driver.isBroken = true;
    const late = first.balancer.apply(stateOf(2), 'first');
    await first.driver.afterCommand.begun;
    first.leader.isInTerm = () => false;
    first.driver.afterCommand.goOn();
    expect(await late).toMatchObject({ result: 'failed', reason: expect.stringContaining('epoch 1 is over') });
    expect([installed(), served()]).toEqual(['# 2', '# 1']);
  });

  it('rely on nothing that the other may have changed when one leads again', async () => {
    await second.balancer.apply(stateOf(3), 'second');
    first.balancer.lead({ ...first.leader, epoch: 3 });
    expect(await first.balancer.apply(stateOf(1), 'first')).toMatchObject({ result: 'applied', epoch: 3 });
    expect([installed(), served()]).toEqual(['# 1', '# 1']);
  });

  it('take over without a change when everything is as it should be', async () => {
    expect(await second.balancer.apply(stateOf(1), 'second')).toMatchObject({ result: 'unchanged', method: 'none' });
  });
});
