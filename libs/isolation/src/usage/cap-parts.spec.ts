import { describe, expect, it } from '@jest/globals';
import type { CapPart } from '@palisade/domain';
import { VirtualClock } from '../../test/support/virtual-clock.js';
import type { PoolsSnapshot } from '../pools/pool-snapshot.js';
import { CapParts, type CappedConnections } from './cap-parts.js';

/** Connections that are closed when they are told to, unless they are in use. */
class FakeConnections implements CappedConnections {
  readonly holdMs = 1500;
  #part: () => number = () => -1;
  active = 0;
  idle = 0;
  opening = 0;
  closing = 0;
  queued = 0;

  snapshot(): PoolsSnapshot {
    const { active, idle, opening, closing, queued } = this;
    return { active, idle, opening, closing, queued } as PoolsSnapshot;
  }

  get part(): number {
    return this.#part();
  }

  resize(part: () => number): void {
    this.#part = part;
    this.idle = Math.max(0, Math.min(this.idle, part() - this.active));
  }

  least(): number {
    return 2;
  }

  closeBeyond(ceiling: number): void {
    this.active = Math.min(this.active, ceiling);
  }
}

function create() {
  const [clock, postgres] = [new VirtualClock(), new FakeConnections()];
  return { clock, postgres, caps: new CapParts(new Map([['postgres', postgres]]), clock) };
}

function part(overrides: Partial<CapPart> = {}): CapPart {
  return { sequence: 1, limit: 10, valid_seconds: 20, base: 4, base_valid_seconds: 900, ...overrides };
}

describe(CapParts, () => {
  it('begins with nothing, and takes what it is given', () => {
    const { caps, postgres, clock } = create();
    expect(postgres.part).toBe(0);
    expect(caps.demand()).toEqual({
      postgres: { limit: 0, in_use: 0, waiting: 0, least: 2, hold_seconds: 1.5 },
    });

    caps.apply({ postgres: part() }, clock.now());

    expect(postgres.part).toBe(10);
    expect(caps.demand()).toMatchObject({ postgres: { sequence: 1, limit: 10 } });
  });

  it('counts connections that open and close as in use, and idle ones as had', () => {
    const { caps, postgres, clock } = create();
    caps.apply({ postgres: part({ limit: 3 }) }, clock.now());
    Object.assign(postgres, { active: 2, idle: 4, opening: 1, closing: 3, queued: 7 });

    expect(caps.demand()).toMatchObject({ postgres: { limit: 10, in_use: 6, waiting: 7 } });
  });

  it('falls to the base and then to nothing when it is not renewed, first for what is new', async () => {
    const { caps, postgres, clock } = create();
    caps.apply({ postgres: part() }, clock.now());
    Object.assign(postgres, { active: 9, idle: 1 });

    await clock.advance(15_000);
    expect(postgres).toMatchObject({ part: 4, active: 9, idle: 0 });
    await clock.advance(5000);
    expect(postgres).toMatchObject({ part: 4, active: 4 });
    await clock.advance(875_000);
    expect(postgres).toMatchObject({ part: 0, active: 4 });
    await clock.advance(5000);
    expect(postgres).toMatchObject({ part: 0, active: 0 });
    expect(clock.timers).toBe(0);
  });

  it('counts from when the request was sent', async () => {
    const { caps, postgres, clock } = create();
    caps.demand();
    await clock.advance(10_000);
    caps.apply({ postgres: part() }, 0);
    await clock.advance(5000);

    expect(postgres.part).toBe(4);
  });

  it('leaves what is in use beyond a smaller part as long as it was told of', async () => {
    const { caps, postgres, clock } = create();
    caps.apply({ postgres: part() }, clock.now());
    postgres.active = 10;
    caps.demand();
    caps.apply({ postgres: part({ sequence: 2, limit: 5 }) }, clock.now());
    expect(postgres).toMatchObject({ part: 5, active: 10 });

    await clock.advance(20_000);
    expect(postgres.active).toBe(4);
  });

  it('does not wait for timers that are late', async () => {
    const { caps, postgres, clock } = create();
    caps.apply({ postgres: part() }, clock.now());
    caps.close();
    await clock.advance(15_000);

    expect([clock.timers, postgres.part]).toEqual([0, 4]);
  });

  it('leaves the own limit of a backend of which the control plane divides no cap', () => {
    const { caps, postgres, clock } = create();

    caps.apply({}, clock.now());
    expect(postgres.part).toBe(Number.MAX_SAFE_INTEGER);
    caps.apply({ postgres: part({ limit: 0, base: 0, reason: 'too many proxies' }) }, clock.now());

    expect(postgres.part).toBe(0);
    expect(caps.reasonFor('postgres')).toBe('too many proxies');
  });
});
