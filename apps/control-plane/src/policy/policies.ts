import { createHash, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { SingleFlight } from '@palisade/async';
import {
  POLICY_EVENTS,
  StoreUnavailableError,
  type CompletePolicy,
  type PolicyChange,
  type PoolName,
  type TenantId,
  type TenantPolicy,
} from '@palisade/domain';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { Registry, type RegistryChange } from '../routing/table/registry.js';
import { ServedTenants, type Touched } from './served-tenants.js';
import { policySettings } from './tenant-policy.js';
import { TouchedTenants } from './touched-tenants.js';

/** What a proxy has been sent: everything up to a revision, under a configuration. */
export interface PolicyPosition {
  readonly configuration: string;
  readonly revision: number;
  /** How often tenants had left pools, at this replica; absent for what another stream has sent. */
  readonly expiries?: number;
}

/** An event as it is sent; several streams share its bytes. */
export interface PolicyEvent {
  readonly chunks: readonly Buffer[];
  readonly position: PolicyPosition;
}

/** The tenants of a complete policy, as JSON. */
interface Snapshot extends PolicyPosition {
  readonly tenants: Buffer;
}

interface PoolDocuments {
  readonly settings: CompletePolicy['settings'];
  configuration: string;
  snapshot?: Snapshot;
  /** Events to the current revision, by the one that they start from. */
  readonly changes: Map<number, PolicyEvent>;
}

/** Changed with the form of what is sent. */
const FORM = 'palisade policy 1';
/** Tenants that are written before other work gets its turn. */
const CHUNK = 1000;
/** A complete policy is sent again, followed by a change, until that many of its tenants have changed. */
const MAX_TOUCHED = 1000;
const EXPIRE_INTERVAL_MS = 1000;

/** What the proxies of each pool have to enforce, kept as the registry is. */
@Injectable()
export class Policies implements OnModuleDestroy {
  private readonly served: ServedTenants;
  private readonly touched = new TouchedTenants();
  /** Tenants whose time in a pool was over while nothing else changed, by how often that was so. */
  private readonly expired = new TouchedTenants();
  private readonly expiring = setInterval(() => this.expire(), EXPIRE_INTERVAL_MS).unref();
  private readonly documents: ReadonlyMap<PoolName, PoolDocuments>;
  private readonly listeners = new Set<() => void>();
  private readonly building = new SingleFlight<PoolName, Snapshot>();
  private readonly routing: string;
  private currentRevision = 0;
  private expiries = 0;
  private hasLoaded = false;
  /** Whether the registry is between two changes; in the midst of them two tenants may have the same namespace. */
  private isSettled = false;

  constructor(
    private readonly registry: Registry,
    settings: ControlPlaneSettings,
  ) {
    const { finder } = registry.table;
    this.served = new ServedTenants(finder, settings.pools, settings.routing.drainMs);
    this.routing = digestOfRouting(settings);
    this.documents = new Map(
      [...settings.pools].map(([name, pool]) => {
        const own = policySettings(pool);
        return [name, { settings: own, configuration: this.configurationOf(own), changes: new Map() }];
      }),
    );
    registry.onChange((change) => this.take(change));
  }

  onModuleDestroy(): void {
    clearInterval(this.expiring);
  }

  /** The revision that proxies should have. */
  get revision(): number {
    return this.currentRevision;
  }

  /** Calls the listener whenever there may be something to send. It must return quickly. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** What a proxy of the pool enforces of a tenant; undefined when it does not serve it. */
  policyOf(pool: PoolName, id: string): TenantPolicy | undefined {
    return this.served.policyOf(pool, id);
  }

  /** What comes after the position; undefined when there is nothing to send yet. */
  async after(pool: PoolName, sent: PolicyPosition | undefined): Promise<PolicyEvent | undefined> {
    const documents = this.documents.get(pool);
    if (
      documents === undefined ||
      (sent !== undefined && sent.revision > this.currentRevision && !(await this.isUpToDate()))
    ) {
      return undefined;
    }
    if (!this.isSettled) {
      return undefined;
    }
    if (sent?.configuration === documents.configuration && sent.revision <= this.currentRevision) {
      return this.hasNothingAfter(sent, pool)
        ? undefined
        : (this.change(pool, documents, sent) ?? this.complete(pool, documents, sent));
    }
    return this.complete(pool, documents, sent);
  }

  /** Whether the registry surely shows what the store has now. */
  private async isUpToDate(): Promise<boolean> {
    await this.registry.caughtUp();
    try {
      await this.registry.check();
      return true;
    } catch (error) {
      if (error instanceof StoreUnavailableError) {
        return false;
      }
      throw error;
    }
  }

  private hasNothingAfter(sent: PolicyPosition, pool: PoolName): boolean {
    return sent.revision === this.currentRevision && this.expiredAfter(sent, pool).length === 0;
  }

  /** Tenants that the pool has ceased to serve because their time was over. */
  private expiredAfter({ expiries }: PolicyPosition, pool: PoolName): TenantId[] {
    // Another replica may have had a tenant removed at another moment.
    const ids = expiries === undefined ? undefined : this.expired.since(expiries, pool);
    const expired = ids === undefined ? this.served.expiredIn(pool) : [...ids];
    return expired.filter((id) => this.served.policyOf(pool, id) === undefined) as TenantId[];
  }

  /** Has tenants leave pools while nothing else changes. */
  private expire(): void {
    const ids = idsOf(this.served.take([], []));
    if (ids.size > 0) {
      this.expiries += 1;
      this.expired.add(this.expiries, ids);
      this.touched.add(this.currentRevision, ids);
      this.documents.forEach(({ changes }) => changes.clear());
      this.listeners.forEach((listener) => listener());
    }
  }

  private take({ revision, changed, removed, isCurrent }: RegistryChange): void {
    const wasRestored = revision < this.currentRevision;
    const placed = changed.flatMap(({ id }) => this.registry.table.find(id) ?? []);
    const touched = this.served.take(placed, removed);
    this.currentRevision = revision;
    this.isSettled = isCurrent;
    for (const documents of this.documents.values()) {
      documents.changes.clear();
      if (wasRestored) {
        // The same numbers now mean other states.
        documents.configuration = this.configurationOf(documents.settings, randomUUID());
      }
    }
    if (wasRestored || !this.hasLoaded) {
      this.hasLoaded = !wasRestored && isCurrent;
      this.touched.reset(revision);
    } else {
      this.touched.add(revision, idsOf(touched));
    }
    if (isCurrent) {
      this.listeners.forEach((listener) => listener());
    }
  }

  private change(
    pool: PoolName,
    { configuration, changes }: PoolDocuments,
    sent: PolicyPosition,
  ): PolicyEvent | undefined {
    const { revision: from } = sent;
    const known = changes.get(from);
    const isShared = sent.expiries === this.expiries;
    if (known !== undefined && isShared) {
      return known;
    }
    const touched = this.touched.since(from, pool);
    if (touched === undefined || touched.size > Math.max(MAX_TOUCHED, this.served.sizeOf(pool) / 2)) {
      return undefined;
    }
    const revision = this.currentRevision;
    const tenants = [...touched].flatMap((id) => this.served.policyOf(pool, id) ?? []);
    const present = new Set(tenants.map(({ tenant_id: id }) => id));
    const removed = [...touched, ...this.expiredAfter(sent, pool)].filter((id) => !present.has(id));
    const change: PolicyChange = { from, revision, tenants, removed: [...new Set(removed)] };
    const position = { configuration, revision, expiries: this.expiries };
    const event = { chunks: [encodeEvent(POLICY_EVENTS.change, JSON.stringify(change), position)], position };
    if (isShared) {
      changes.set(from, event);
    }
    return event;
  }

  private async complete(
    pool: PoolName,
    documents: PoolDocuments,
    sent: PolicyPosition | undefined,
  ): Promise<PolicyEvent | undefined> {
    const { settings } = documents;
    const snapshot = isFresh(documents, this.touched.since(documents.snapshot?.revision ?? -1, pool))
      ? documents.snapshot
      : await this.building.run(pool, () => this.build(pool, documents));
    if (snapshot === undefined || snapshot.configuration !== documents.configuration) {
      return undefined; // restored meanwhile: whoever listens is called again
    }
    const { configuration, revision, expiries, tenants } = snapshot;
    const isRestored = sent !== undefined && sent.revision > revision;
    const rest = { revision, configuration, pool, settings, ...(isRestored && { restored: true as const }) };
    const head = JSON.stringify(rest satisfies Omit<CompletePolicy, 'tenants'>).slice(0, -1);
    const position = { configuration, revision, expiries };
    const frame = encodeEvent(POLICY_EVENTS.complete, `${head},"tenants":`, position).subarray(0, -2);
    return { chunks: [frame, tenants, Buffer.from('}\n\n')], position };
  }

  private async build(pool: PoolName, documents: PoolDocuments): Promise<Snapshot> {
    const { currentRevision: revision, expiries } = this;
    const { configuration } = documents;
    const chunks: Buffer[] = [];
    let texts: string[] = [];
    for (const policy of this.served.policiesOf(pool)) {
      texts.push(JSON.stringify(policy));
      if (texts.length === CHUNK) {
        chunks.push(Buffer.from(`${texts.join(',')},`));
        texts = [];
        await nextTurn();
      }
    }
    const last = texts.length === 0 ? chunks.pop()?.subarray(0, -1) : Buffer.from(texts.join(','));
    const tenants = Buffer.concat([Buffer.from('['), ...chunks, last ?? Buffer.of(), Buffer.from(']')]);
    documents.snapshot = { configuration, revision, expiries, tenants };
    return documents.snapshot;
  }

  private configurationOf(settings: CompletePolicy['settings'], lineage = ''): string {
    return createHash('sha256')
      .update(JSON.stringify([FORM, lineage, this.routing, settings]))
      .digest('hex');
  }
}

function isFresh({ snapshot, configuration }: PoolDocuments, touched: ReadonlySet<string> | undefined): boolean {
  return snapshot?.configuration === configuration && touched !== undefined && touched.size <= MAX_TOUCHED;
}

function idsOf(touched: Touched): ReadonlyMap<PoolName, readonly string[]> {
  return new Map([...touched].map(([pool, ids]) => [pool, [...ids]]));
}

/** What of the configuration decides which tenants a pool has and on which terms. */
function digestOfRouting({ routing, deployment, isolation }: ControlPlaneSettings): string {
  const { namespaceRoutes, ...others } = routing;
  const hash = createHash('sha256').update(JSON.stringify([others, deployment, isolation]));
  for (const entry of namespaceRoutes) {
    hash.update(JSON.stringify(entry));
  }
  return hash.digest('hex');
}

export function encodeEvent(name: string, data: string, position?: PolicyPosition): Buffer {
  const id = position === undefined ? '' : `id: ${position.configuration}:${position.revision}\n`;
  return Buffer.from(`event: ${name}\n${id}data: ${data}\n\n`);
}

const POSITION = /^([0-9a-f]{64}):(\d{1,15})$/;

/** Undefined for what this control plane has never sent: then the stream begins with a complete policy. */
export function readPosition(lastEventId: string | undefined): PolicyPosition | undefined {
  const [, configuration, revision] = POSITION.exec(lastEventId ?? '') ?? [];
  return configuration === undefined ? undefined : { configuration, revision: Number(revision) };
}
