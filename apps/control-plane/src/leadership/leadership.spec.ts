import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { LeaseLostError, LeaseStore, StoreUnavailableError, type HeldLease } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { LeaderDuty, type LeaderTerm } from './leader-duty.js';
import { Leadership } from './leadership.js';

const TTL_MS = 4000;

/** Notes when it runs; ends when its term does, or when it is told to. */
class RecordedDuty extends LeaderDuty {
  override readonly name = 'recorded';
  readonly terms: LeaderTerm[] = [];
  running = 0;
  mostAtOnce = 0;
  /** While it is set, it goes on after its term. */
  lingers: Promise<void> | undefined;

  override async run(term: LeaderTerm): Promise<void> {
    this.terms.push(term);
    this.running++;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.running);
    await new Promise((resolve) => term.signal.addEventListener('abort', resolve));
    await this.lingers;
    this.running--;
  }
}

/** Leases that can be cut off, and that can hang. */
class Link extends LeaseStore {
  isCut = false;
  /** While it is set, nothing is answered. */
  hangs: Promise<void> | undefined;
  constructor(private readonly target: LeaseStore) {
    super();
  }
  override async acquire(name: string, holder: string, ttlMs: number): Promise<HeldLease> {
    this.requireLink();
    await this.hangs;
    return this.target.acquire(name, holder, ttlMs);
  }
  override async release(name: string, holder: string): Promise<boolean> {
    this.requireLink();
    await this.hangs;
    return this.target.release(name, holder);
  }
  override async find(name: string): Promise<HeldLease | undefined> {
    return this.target.find(name);
  }
  private requireLink(): void {
    if (this.isCut) {
      throw new StoreUnavailableError(1);
    }
  }
}

function createReplica(holder: string, ...leases: LeaseStore[]) {
  const leadership = new Leadership(leases, { name: 'leader', holder, ttlMs: TTL_MS, mayLead: true });
  const duty = new RecordedDuty();
  leadership.assign(duty);
  return { leadership, duty };
}

const elapse = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe(Leadership.name, () => {
  beforeEach(() => {
    jest.useFakeTimers();
    Logger.overrideLogger(false);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('elects one of two replicas', async () => {
    const { leases } = new MemoryStore();
    const [a, b] = [createReplica('a', leases), createReplica('b', leases)];
    a.leadership.onApplicationBootstrap();
    b.leadership.onApplicationBootstrap();
    await elapse(10_000);
    expect([a.duty.running, b.duty.running]).toEqual([1, 0]);
    expect([a.leadership.isLeader, b.leadership.isLeader]).toEqual([true, false]);
  });

  it('tells every replica who leads', async () => {
    const { leases } = new MemoryStore();
    const [a, b] = [createReplica('a', leases), createReplica('b', leases)];
    a.leadership.onApplicationBootstrap();
    await elapse(0);
    expect(await b.leadership.findLeader()).toMatchObject({ holder: 'a' });
  });

  it('stops the duty of a leader that is cut off before another one begins', async () => {
    const { leases } = new MemoryStore();
    const link = new Link(leases);
    const [a, b] = [createReplica('a', link), createReplica('b', leases)];
    a.leadership.onApplicationBootstrap();
    await elapse(0);
    b.leadership.onApplicationBootstrap();
    link.isCut = true;
    let bothAtOnce = 0;
    for (let ms = 0; ms < 3 * TTL_MS; ms += 50) {
      await elapse(50);
      bothAtOnce += a.duty.running > 0 && b.duty.running > 0 ? 1 : 0;
    }
    expect({ bothAtOnce, a: a.duty.running, b: b.duty.running }).toEqual({ bothAtOnce: 0, a: 0, b: 1 });
  });

  it('gives no lease to a duty whose term is over', async () => {
    const { leases } = new MemoryStore();
    const link = new Link(leases);
    const { leadership, duty } = createReplica('a', link);
    leadership.onApplicationBootstrap();
    await elapse(0);
    link.isCut = true;
    await elapse(TTL_MS);
    expect(() => duty.terms[0]?.lease()).toThrow(LeaseLostError);
  });

  it('lets what is under way be finished when it gives leadership up, but not beyond its lease', async () => {
    const { leadership, duty } = createReplica('a', new MemoryStore().leases);
    const lingering = Promise.withResolvers<void>();
    duty.lingers = lingering.promise;
    leadership.onApplicationBootstrap();
    await elapse(0);
    const ended = leadership.onModuleDestroy();
    await elapse(0);
    const [term] = duty.terms;
    const atEnd = [term?.signal.aborted, term?.isHeld()];
    await elapse(TTL_MS);
    expect([atEnd, term?.isHeld()]).toEqual([[true, true], false]);
    lingering.resolve();
    await ended;
  });

  it('has nothing finished that was under way when it lost its lease', async () => {
    const link = new Link(new MemoryStore().leases);
    const { leadership, duty } = createReplica('a', link);
    leadership.onApplicationBootstrap();
    await elapse(0);
    link.isCut = true;
    await elapse(TTL_MS / 2);
    expect([duty.terms[0]?.signal.aborted, duty.terms[0]?.isHeld()]).toEqual([true, false]);
  });

  it('does not lead again while a duty of the last term still runs', async () => {
    const { leases } = new MemoryStore();
    const link = new Link(leases);
    const { leadership, duty } = createReplica('a', link);
    const lingering = Promise.withResolvers<void>();
    duty.lingers = lingering.promise;
    leadership.onApplicationBootstrap();
    await elapse(0);
    link.isCut = true;
    await elapse(2 * TTL_MS);
    link.isCut = false;
    await elapse(2 * TTL_MS);
    expect(duty.terms).toHaveLength(1);
    lingering.resolve();
    await elapse(2 * TTL_MS);
    expect({ terms: duty.terms.length, mostAtOnce: duty.mostAtOnce }).toEqual({ terms: 2, mostAtOnce: 1 });
  });

  it('counts its terms, and not the renewals of their leases', async () => {
    const { leases } = new MemoryStore();
    const link = new Link(leases);
    const { leadership } = createReplica('a', link);
    leadership.onApplicationBootstrap();
    await elapse(5 * TTL_MS);
    expect(leadership.terms).toBe(1);
    link.isCut = true;
    await elapse(2 * TTL_MS);
    link.isCut = false;
    await elapse(2 * TTL_MS);
    expect(leadership.terms).toBe(2);
    await leadership.onModuleDestroy();
  });

  it('gives leadership up at once when it is stopped', async () => {
    const { leases } = new MemoryStore();
    const [a, b] = [createReplica('a', leases), createReplica('b', leases)];
    a.leadership.onApplicationBootstrap();
    await elapse(0);
    await a.leadership.onModuleDestroy();
    expect(a.duty.running).toBe(0);
    b.leadership.onApplicationBootstrap();
    await elapse(0);
    expect(b.duty.running).toBe(1);
  });

  it.each([
    ['the lease is being renewed', 2000],
    ['it is to be given up', 0],
  ])('ends in time with leases that hang when %s', async (_, elapsedMs) => {
    const link = new Link(new MemoryStore().leases);
    const { leadership, duty } = createReplica('a', link);
    leadership.onApplicationBootstrap();
    await elapse(0);
    link.hangs = new Promise(() => {});
    await elapse(elapsedMs);
    const ended = jest.fn();
    void leadership.onModuleDestroy().then(ended);
    await elapse(0);
    expect([duty.running, ended.mock.calls]).toEqual([0, []]);
    await elapse(2000);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it('gives the lease up behind a renewal that was under way', async () => {
    const { leases } = new MemoryStore();
    const link = new Link(leases);
    const { leadership } = createReplica('a', link);
    leadership.onApplicationBootstrap();
    await elapse(0);
    const hanging = Promise.withResolvers<void>();
    link.hangs = hanging.promise;
    await elapse(2000);
    link.hangs = undefined;
    const ended = leadership.onModuleDestroy();
    await elapse(1000);
    hanging.resolve();
    await ended;
    expect(await leases.find('leader')).toBeUndefined();
  });

  it('begins no term with a lease that comes when it is stopped', async () => {
    const link = new Link(new MemoryStore().leases);
    const { leadership, duty } = createReplica('a', link);
    const hanging = Promise.withResolvers<void>();
    link.hangs = hanging.promise;
    leadership.onApplicationBootstrap();
    await elapse(0);
    const ended = leadership.onModuleDestroy();
    await elapse(2000);
    await ended;
    hanging.resolve();
    await elapse(0);
    expect(duty.terms).toEqual([]);
  });

  it('begins no term when it is stopped while a duty of the last one still runs', async () => {
    const link = new Link(new MemoryStore().leases);
    const { leadership, duty } = createReplica('a', link);
    const [hanging, lingering] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    duty.lingers = lingering.promise;
    leadership.onApplicationBootstrap();
    await elapse(0);
    link.hangs = hanging.promise;
    await elapse(0.8 * TTL_MS);
    hanging.resolve();
    await elapse(0);
    const ended = leadership.onModuleDestroy();
    lingering.resolve();
    await ended;
    expect([duty.terms.length, duty.running]).toEqual([1, 0]);
  });

  it('leads only with all leases', async () => {
    const [cluster, store] = [new MemoryStore().leases, new MemoryStore().leases];
    await cluster.acquire('leader', 'somebody else', 60_000);
    const { leadership, duty } = createReplica('a', cluster, store);
    leadership.onApplicationBootstrap();
    await elapse(30_000);
    expect(duty.running).toBe(0);
    await elapse(40_000);
    expect(duty.running).toBe(1);
  });

  it('does not stand for election where it may not lead', async () => {
    const { leases } = new MemoryStore();
    const leadership = new Leadership([leases], { name: 'leader', holder: 'a', ttlMs: TTL_MS, mayLead: false });
    leadership.onApplicationBootstrap();
    await elapse(TTL_MS);
    expect(await leadership.findLeader()).toBeUndefined();
    await leadership.onModuleDestroy();
  });

  it('starts a duty again that fails', async () => {
    const { leases } = new MemoryStore();
    const leadership = new Leadership([leases], { name: 'leader', holder: 'a', ttlMs: TTL_MS, mayLead: true });
    let calls = 0;
    leadership.assign({
      name: 'failing',
      run: async () => {
        calls++;
        throw new Error('the load balancer is gone');
      },
    });
    leadership.onApplicationBootstrap();
    await elapse(3500);
    expect(calls).toBe(4);
  });
});
