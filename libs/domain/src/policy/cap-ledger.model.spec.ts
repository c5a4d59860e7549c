import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { CapDemand, CapPart } from './cap-parts.js';
import { currentEntries, divideCap, EMPTY_CAP_LEDGER } from './cap-ledger.js';
import { fairShares } from './fair-shares.js';
import { HeldCapPart } from './held-cap-part.js';
import { runs } from '../../../../test/support/effort.js';

const PROXIES = ['a', 'b', 'c'];
const CAPS = [0, 1, 2, 3, 4, 7, 20, 100];
const HOLD_MS = 10_000;
/** Clocks may differ by half a percent in each direction. */
const RATES = [0.995, 1, 1.005];
const MAX_STEP_MS = 1000;

/** One process of a proxy that follows the rules, with connections that are as hard to get rid of as they may be. */
class Process {
  readonly held = new HeldCapPart();
  connections = 0;
  waiting = 0;
  state: 'running' | 'stopped' | 'dead' = 'running';
  #stoppedAtMs = 0;

  constructor(
    readonly proxy: string,
    readonly instance: string,
    readonly rate: number,
    private readonly world: World,
  ) {}

  get nowMs(): number {
    return this.world.nowMs * this.rate;
  }

  open(count: number): void {
    this.enforce();
    this.connections = Math.max(this.connections, Math.min(this.connections + count, this.held.limitAt(this.nowMs)));
  }

  demand(): CapDemand {
    const { sequence } = this.held;
    const limit = Math.max(this.held.limitAt(this.nowMs), this.connections);
    return {
      sequence,
      limit,
      in_use: this.connections,
      waiting: this.waiting,
      least: 1,
      hold_seconds: HOLD_MS / 1000,
    };
  }

  /** It stops, or ends; what it had open stays open until the backend closes it. */
  stop(state: 'stopped' | 'dead'): void {
    if (this.state === 'running') {
      this.#stoppedAtMs = this.world.nowMs;
    }
    this.state = state;
  }

  resume(): void {
    this.enforce();
    this.state = 'running';
  }

  /** What happens by itself as time passes. */
  enforce(): void {
    if (this.state === 'running') {
      this.connections = Math.min(this.connections, this.held.ceilingAt(this.nowMs));
    } else if (this.world.nowMs >= this.#stoppedAtMs + HOLD_MS) {
      this.connections = 0;
    }
  }
}

interface Request {
  readonly from: Process;
  readonly sentAtMs: number;
  readonly demand: CapDemand;
}

interface Answer extends Request {
  readonly part: CapPart;
}

interface WorldOptions {
  readonly cap: number;
  readonly changesCap: boolean;
  readonly storeRate: number;
}

/** The processes, the messages that are on their way, and the one ledger that the replicas of the control plane share. */
class World {
  nowMs = 1_000_000;
  cap: number;
  ledger = EMPTY_CAP_LEDGER;
  storeOffsetMs = 0;
  readonly processes: Process[] = [];
  readonly requests: Request[] = [];
  readonly answers: Answer[] = [];
  #granted = 0;
  #started = 0;
  #leftToStepMs = MAX_STEP_MS;

  constructor(private readonly options: WorldOptions) {
    this.cap = options.cap;
  }

  get storeNowMs(): number {
    return this.nowMs * this.options.storeRate + this.storeOffsetMs;
  }

  setCap(cap: number): void {
    this.cap = this.options.changesCap ? cap : this.cap;
  }

  /** What had run out has not run out yet, if nobody has looked since. */
  stepBack(ms: number): void {
    this.storeOffsetMs -= ms;
    this.#granted = Infinity;
  }

  /** The store's clock is set forward, by a second at most in all. */
  stepForward(ms: number): void {
    const steppedMs = Math.min(ms, this.#leftToStepMs);
    this.#leftToStepMs -= steppedMs;
    this.storeOffsetMs += steppedMs;
  }

  /** The process of a proxy that was started last. */
  current(proxy: string): Process | undefined {
    return this.processes.findLast((process) => process.proxy === proxy && process.state !== 'dead');
  }

  start(proxy: string, rate: number): void {
    this.processes.push(new Process(proxy, `${++this.#started}`, rate, this));
  }

  send(from: Process): Request {
    from.enforce();
    const request = { from, sentAtMs: from.nowMs, demand: from.demand() };
    this.requests.push(request);
    return request;
  }

  /** A replica receives a request, maybe not for the first time. */
  handle({ from, sentAtMs, demand }: Request): Answer {
    const { proxy, instance } = from;
    const known = currentEntries(this.ledger, this.storeNowMs).find((entry) => entry.instance === instance);
    if (known === undefined && demand.limit > 0) {
      // It came so late that nothing is left of what it says; the ledger cannot know that, and believes it.
      this.#granted = Infinity;
    }
    const { ledger, part } = divideCap(this.ledger, { proxy, instance, demand, cap: this.cap }, this.storeNowMs);
    this.ledger = ledger;
    const answer = { from, sentAtMs, demand, part };
    this.answers.push(answer);
    return answer;
  }

  receive({ from, sentAtMs, demand, part }: Answer): void {
    if (from.state === 'running') {
      from.held.apply(part, { sentAtMs, limit: demand.limit });
    }
  }

  exchange(process: Process): void {
    this.receive(this.handle(this.send(process)));
  }

  advance(ms: number): void {
    this.nowMs += Math.max(0, ms);
    for (const process of this.processes) {
      process.enforce();
    }
  }

  /** A time by the clock of a process, or so much later. */
  advanceTo(process: Process, timeMs = process.nowMs, moreMs = 0): void {
    this.advance((timeMs - process.nowMs) / process.rate + moreMs);
  }

  /** The moment at which the ledger stops counting something. */
  advanceToEnd(index: number): void {
    const ends = this.ledger.entries
      .flatMap(({ untilMs, baseUntilMs }) => [untilMs, baseUntilMs])
      .filter((endMs) => endMs > this.storeNowMs)
      .toSorted((a, b) => a - b);
    const endMs = ends[index % ends.length];
    if (endMs !== undefined) {
      this.advance((endMs - this.storeNowMs) / this.options.storeRate);
    }
  }

  check(): void {
    const entries = currentEntries(this.ledger, this.storeNowMs);
    for (const { instance, connections } of this.processes) {
      const granted = entries.find((entry) => entry.instance === instance)?.granted ?? 0;
      expect(connections).toBeLessThanOrEqual(granted);
    }
    for (const { base, granted, sequence } of entries) {
      expect(base).toBeLessThanOrEqual(granted);
      expect(sequence).toBeGreaterThan(0);
    }
    const granted = entries.reduce((sum, entry) => sum + entry.granted, 0);
    expect(granted).toBeLessThanOrEqual(Math.max(this.cap, this.#granted));
    this.#granted = granted;
    if (!this.options.changesCap) {
      expect(this.processes.reduce((sum, { connections }) => sum + connections, 0)).toBeLessThanOrEqual(this.cap);
    }
  }
}

class Command implements fc.Command<object, World> {
  constructor(
    private readonly name: string,
    private readonly act: (world: World) => void,
  ) {}

  check(): boolean {
    return true;
  }

  run(_: object, world: World): void {
    this.act(world);
    world.check();
  }

  toString(): string {
    return this.name;
  }
}

const proxies = fc.constantFrom(...PROXIES);
const counts = fc.constantFrom(1, 3, 10, 200);

function of<T>(name: string, arbitrary: fc.Arbitrary<T>, act: (world: World, chosen: T) => void) {
  return arbitrary.map((chosen) => new Command(`${name}(${String(chosen)})`, (world) => act(world, chosen)));
}

function ofProxy(name: string, act: (process: Process, world: World, count: number) => void) {
  return of(name, fc.tuple(proxies, counts), (world, [proxy, count]) => {
    const process = world.current(proxy);
    if (process !== undefined) {
      act(process, world, count);
    }
  });
}

function ofRunning(name: string, act: (process: Process, world: World, count: number) => void) {
  return ofProxy(name, (process, world, count) => process.state === 'running' && act(process, world, count));
}

function choose<T>(items: readonly T[], index: number): T | undefined {
  return items[items.length - 1 - (index % Math.max(1, items.length))];
}

const start = of('start', fc.tuple(proxies, fc.constantFrom(...RATES)), (world, [proxy, rate]) =>
  world.start(proxy, rate),
);
const exchange = ofRunning('exchange', (process, world) => world.exchange(process));
const open = ofRunning('open', (process, _, count) => process.open(count));

/** Sends a request whose answer does not arrive yet. */
const ask = ofRunning('ask', (process, world) => world.handle(world.send(process)));
const flood = ofRunning('flood', (process, world) => {
  process.waiting = 200;
  world.exchange(process);
  process.open(200);
});
const handle = of('handle', fc.nat(20), (world, index) => {
  const request = choose(world.requests, index);
  if (request !== undefined) {
    world.handle(request);
  }
});

const COMMANDS = [
  start,
  exchange,
  exchange,
  flood,
  flood,
  ask,
  ask,
  handle,
  handle,
  open,
  ofRunning('wait', (process, _, count) => (process.waiting = count)),
  ofRunning('satisfy', (process) => (process.waiting = 0)),
  ofRunning('close', (process, _, count) => (process.connections = Math.max(0, process.connections - count))),
  ofRunning('send', (process, world) => world.send(process)),
  of('receive', fc.nat(10), (world, index) => {
    const answer = choose(world.answers, index);
    if (answer !== undefined) {
      world.receive(answer);
    }
  }),
  ofRunning('advance to a change', (process, world, count) => {
    world.advanceTo(process, process.held.nextEndMs(process.nowMs), count === 1 ? 0 : -1);
  }),
  ofRunning('stop at the last moment', (process, world) => {
    process.waiting = 200;
    world.exchange(process);
    process.open(200);
    world.advanceTo(process, process.held.nextEndMs(process.nowMs));
    world.advanceTo(process, process.held.nextEndMs(process.nowMs), -1);
    process.stop('stopped');
    world.advanceToEnd(0);
  }),
  ofProxy('kill', (process) => process.stop('dead')),
  ofProxy('stop', (process) => process.stop('stopped')),
  ofProxy('continue', (process) => process.resume()),
  of('advance', fc.constantFrom(0, 100, 1000, 5000, 9000, 16_000, 31_000, 400_000), (world, ms) => world.advance(ms)),
  of('advance to an end', fc.nat(9), (world, index) => world.advanceToEnd(index)),
  of('set the cap', fc.constantFrom(...CAPS), (world, cap) => world.setCap(cap)),
  of('set the clock back', fc.constantFrom(100, 60_000), (world, ms) => world.stepBack(ms)),
  of('set the clock forward', fc.constantFrom(1, 500, MAX_STEP_MS), (world, ms) => world.stepForward(ms)),
];

/** All partitions are over; whoever is stopped or dead stays so until nothing is left of it. */
function comeToRest(world: World): void {
  world.advance(10_000_000);
  expect(currentEntries(world.ledger, world.storeNowMs)).toEqual([]);
}

/** Each process asks for what it wants, and uses what it gets, for some heartbeats. */
function heartbeat(world: World, wants: ReadonlyMap<Process, number>, times: number): void {
  for (let time = 0; time < times; time++) {
    for (const [process, want] of wants) {
      process.connections = Math.min(process.connections, want, process.held.limitAt(process.nowMs));
      process.open(want - process.connections);
      process.waiting = want - process.connections;
      world.exchange(process);
      process.connections = Math.min(process.connections, process.held.limitAt(process.nowMs));
      world.check();
    }
    world.advance(1000);
    world.check();
  }
}

describe(divideCap, () => {
  it('never lets processes have more than the cap, whatever is lost, late, twice, stopped or killed', () => {
    const property = fc.property(
      fc.record({ cap: fc.constantFrom(...CAPS), changesCap: fc.boolean(), storeRate: fc.constantFrom(...RATES) }),
      fc.commands(COMMANDS, { maxCommands: 80, size: 'max' }),
      (options, commands) => {
        fc.modelRun(() => ({ model: {}, real: new World(options) }), commands);
      },
    );
    fc.assert(property, { numRuns: runs(200) });
  });

  it('divides the cap fairly by demand within a few heartbeats once all can be reached', () => {
    const property = fc.property(
      fc.constantFrom(...CAPS),
      fc.commands(COMMANDS, { maxCommands: 60, size: 'max' }),
      fc.array(fc.array(fc.nat(60), { minLength: PROXIES.length, maxLength: PROXIES.length }), {
        minLength: 1,
        maxLength: 3,
      }),
      (cap, commands, phases) => {
        const world = new World({ cap: 20, changesCap: true, storeRate: 1 });
        fc.modelRun(() => ({ model: {}, real: world }), commands);
        world.setCap(cap);
        comeToRest(world);
        for (const proxy of PROXIES) {
          world.start(proxy, 1);
        }
        const live = world.processes.slice(-PROXIES.length);
        for (const phase of phases) {
          heartbeat(world, new Map(live.map((process, index) => [process, phase[index] ?? 0])), 8);
          expectFair(world, live, phase);
        }
      },
    );
    fc.assert(property, { numRuns: runs(30) });
  });
});

/** Nobody has less than a max-min fair share of what all need, but for what others must be able to have. */
function expectFair({ cap }: World, live: readonly Process[], wants: readonly number[]): void {
  const base = Math.max(Math.min(1, Math.floor(cap / live.length)), Math.floor(cap / live.length / 2));
  const entitled = wants.map((want) => Math.max(want + Math.ceil(want / 4), base));
  const shares = fairShares(cap, entitled);
  live.forEach((process, index) => {
    const fair = Math.min(wants[index] ?? 0, (shares[index] ?? 0) - 1);
    expect(process.connections).toBeGreaterThanOrEqual(fair);
  });
  const used = live.reduce((sum, { connections }) => sum + connections, 0);
  const wanted = wants.reduce((sum, want) => sum + want, 0);
  const reserve = entitled.reduce((sum, amount, index) => sum + amount - (wants[index] ?? 0), 0);
  expect(used).toBeGreaterThanOrEqual(Math.min(wanted, cap - reserve));
}
