import { readFile } from 'node:fs/promises';
import { messageOf, type PoolName, type Store } from '@palisade/domain';
import { inSpan } from '@palisade/platform';
import { ComponentReport } from '../leadership/component-report.js';
import { PeriodicDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import type { DesiredServer } from '../routing/table/desired-state.js';
import { poolsOf } from '../routing/table/pool-servers.js';
import type { DnsSettings } from '../config/control-plane-settings.js';
import { DnsUpdateError, replaceAddresses } from './dns-update.js';
import { addressesOf, lookupAll, type Lookup, PoolNameRecord } from './pool-name-record.js';
import type { TsigKey } from './tsig.js';

export interface DnsDutyOptions {
  readonly settings: DnsSettings;
  readonly pools: readonly PoolName[];
  readonly panicThresholdPercent: number;
  readonly resolve?: Lookup;
  readonly now?: () => number;
}

const INTERVAL_MS = 500;

/**
 * Keeps the name `<pool>.<zone>` of each pool equal to the addresses of its proxies that take requests. The control plane
 * owns the name: other records there are replaced. An update that fails is pending, and tried again with growing pauses of
 * up to a minute; a name that is up to date is written again every five minutes.
 */
export class DnsDuty extends PeriodicDuty {
  override readonly name = 'DNS';
  /** Attempts to update a name since the start; they never decrease. */
  readonly updates = { applied: 0, failed: 0 };
  private readonly resolve: Lookup;
  private readonly now: () => number;
  private records = new Map<PoolName, PoolNameRecord>();
  private readonly report: ComponentReport;

  constructor(
    private readonly store: Store,
    private readonly options: DnsDutyOptions,
  ) {
    super();
    this.resolve = options.resolve ?? lookupAll;
    this.now = options.now ?? Date.now;
    this.report = new ComponentReport(store.operations, 'dns');
  }

  override async run(term: LeaderTerm): Promise<void> {
    const { settings, pools } = this.options;
    this.records = new Map(pools.map((pool) => [pool, new PoolNameRecord(`${pool}.${settings.zone}`)]));
    await this.repeat(term.signal, () => this.bringUpToDate(term), INTERVAL_MS);
  }

  private async bringUpToDate(term: LeaderTerm): Promise<void> {
    const { pools, panicThresholdPercent } = this.options;
    const desired = poolsOf(pools, await this.store.proxies.list(), panicThresholdPercent);
    await Promise.all(desired.map(({ name, servers }) => this.update(this.recordOf(name), servers, term)));
    await this.report.tell({ names: [...this.records.values()].map(({ status }) => status) }, term);
  }

  private recordOf(pool: PoolName): PoolNameRecord {
    const record = this.records.get(pool);
    if (record === undefined) {
      throw new TypeError(`unknown pool: ${pool}`);
    }
    return record;
  }

  private async update(record: PoolNameRecord, servers: readonly DesiredServer[], term: LeaderTerm): Promise<void> {
    try {
      const wanted = await addressesOf(servers, this.resolve);
      if (wanted !== undefined) {
        record.want(wanted, this.now());
      }
    } catch (error) {
      record.unresolved(this.describe(record, error));
      return;
    }
    const addresses = record.due(this.now());
    if (addresses !== undefined) {
      await this.attempt(record, addresses, term);
    }
  }

  private async attempt(record: PoolNameRecord, addresses: readonly string[], term: LeaderTerm): Promise<void> {
    try {
      term.lease();
      const attributes = { 'dns.question.name': record.name, 'palisade.dns.addresses': addresses.length };
      await inSpan('update DNS', { attributes }, () => this.apply(record.name, addresses, term.signal));
      record.succeeded(addresses, this.now());
      this.updates.applied++;
    } catch (error) {
      term.signal.throwIfAborted();
      record.failed(this.describe(record, error), this.now());
      this.updates.failed++;
    }
  }

  private async apply(name: string, addresses: readonly string[], signal: AbortSignal): Promise<void> {
    const { zone, server, ttlSeconds, timeoutMs } = this.options.settings;
    const key = await this.readKey();
    await replaceAddresses({ zone, name, addresses, ttlSeconds }, { server, key, timeoutMs, signal, now: this.now });
  }

  /** Reads the key for each update, so that it can be replaced without a restart. */
  private async readKey(): Promise<TsigKey> {
    const { keyName, keyAlgorithm, keySecretFile } = this.options.settings;
    const text = await readFile(keySecretFile, 'utf8').catch((error: unknown) => {
      throw new DnsUpdateError(`the key in ${keySecretFile} cannot be read`, { cause: error });
    });
    const secret = Buffer.from(text.trim(), 'base64');
    if (secret.length === 0) {
      throw new DnsUpdateError(`the key in ${keySecretFile} is not in base64`);
    }
    return { name: keyName, algorithm: keyAlgorithm, secret };
  }

  /** Logs the failure, unless it is the one that the record has already. */
  private describe(record: PoolNameRecord, error: unknown): string {
    const message = messageOf(error);
    if (record.status.error !== message) {
      this.logger.warn(`${record.name} could not be updated: ${message}`);
    }
    return message;
  }
}
