import { type HeldLease, LeaseStore } from '@palisade/domain';
import { CompiledQuery } from 'kysely';
import { requireLeaseRequest } from '../../operations-content.js';
import { isStorable } from '../../storable-text.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';

/**
 * The time is read once, when the statement begins: `excluded.expires_at - ttl`. A caller who had to wait for the row judges
 * by that earlier time, which can at worst make a lease that has just expired look held.
 */
const FREE = `lease.holder is null or lease.expires_at <= excluded.expires_at - $3 * interval '1 ms'`;
const GRANTED = `(lease.holder = excluded.holder or ${FREE})`;

const ACQUIRE = prepared(`
  insert into leases as lease (name, holder, epoch, expires_at)
  values ($1, $2, 1, clock_timestamp() + $3 * interval '1 ms')
  on conflict (name) do update set
    holder = case when ${GRANTED} then excluded.holder else lease.holder end,
    epoch = lease.epoch + case when ${GRANTED} and lease.holder is distinct from excluded.holder then 1 else 0 end,
    expires_at = case when ${GRANTED} then excluded.expires_at else lease.expires_at end
  returning name, holder, epoch, expires_at as "expiresAt"`);

/** The row stays, so that its epoch is never used again. */
const RELEASE = prepared(`
  update leases set holder = null where name = $1 and holder = $2 and expires_at > clock_timestamp() returning name`);

const FIND = prepared(`
  select name, holder, epoch, expires_at as "expiresAt" from leases
  where name = $1 and holder is not null and expires_at > clock_timestamp()`);

/** Leases by the clock of the database server. */
export class PostgresLeaseStore extends LeaseStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async acquire(name: string, holder: string, ttlMs: number): Promise<HeldLease> {
    requireLeaseRequest(name, holder, ttlMs);
    const [lease] = await this.query<HeldLease>(ACQUIRE, [name, holder, ttlMs]);
    if (!lease) {
      throw new Error(`nobody has the lease "${name}" after it was acquired`);
    }
    return lease;
  }

  override async release(name: string, holder: string): Promise<boolean> {
    return isStorable(name + holder) && (await this.query(RELEASE, [name, holder])).length > 0;
  }

  override async find(name: string): Promise<HeldLease | undefined> {
    return isStorable(name) ? (await this.query<HeldLease>(FIND, [name]))[0] : undefined;
  }

  private async query<T>(statement: string, parameters: readonly unknown[]): Promise<readonly T[]> {
    const { rows } = await this.database.run((connection) =>
      connection.executeQuery<T>(CompiledQuery.raw(statement, [...parameters])),
    );
    return rows;
  }
}
