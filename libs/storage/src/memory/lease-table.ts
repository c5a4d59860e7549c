import { type HeldLease, LeaseLostError } from '@palisade/domain';

interface KeptLease {
  /** Undefined after a release. */
  readonly held: HeldLease | undefined;
  readonly epoch: number;
}

/** Leases by name. A released lease is remembered, so that its epoch is never used again. */
export class LeaseTable {
  private readonly leases = new Map<string, KeptLease>();

  constructor(private readonly now: () => number) {}

  /** The lease as it is afterwards, whoever holds it. */
  acquire(name: string, holder: string, ttlMs: number): HeldLease {
    const { held, epoch } = this.leases.get(name) ?? { held: undefined, epoch: 0 };
    if (held && held.holder !== holder && held.expiresAt.getTime() > this.now()) {
      return held;
    }
    const lease = {
      name,
      holder,
      epoch: held?.holder === holder ? epoch : epoch + 1,
      expiresAt: new Date(this.now() + ttlMs),
    };
    this.leases.set(name, { held: lease, epoch: lease.epoch });
    return lease;
  }

  /** False when `holder` does not have it. */
  release(name: string, holder: string): boolean {
    const lease = this.find(name);
    if (lease?.holder !== holder) {
      return false;
    }
    this.leases.set(name, { held: undefined, epoch: lease.epoch });
    return true;
  }

  find(name: string): HeldLease | undefined {
    const held = this.leases.get(name)?.held;
    return held && held.expiresAt.getTime() > this.now() ? held : undefined;
  }

  /** @throws {LeaseLostError} when the lease was given up or has gone to another holder */
  requireCurrent({ name, holder, epoch }: HeldLease): void {
    const held = this.leases.get(name)?.held;
    if (held?.holder !== holder || held.epoch !== epoch) {
      throw new LeaseLostError(name, epoch);
    }
  }
}
