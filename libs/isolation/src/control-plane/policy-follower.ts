import { Backoff, pause, type Clock } from '@palisade/async';
import {
  DomainError,
  type AccessChange,
  messageOf,
  parseJsonObject,
  type CompletePolicy,
  type PolicyChange,
  type PolicyReport,
  type TenantPolicy,
} from '@palisade/domain';
import type { AccessDecisions } from './access-decisions.js';
import type { ControlPlaneClient, PolicyEvent, ProxyIdentity } from './control-plane-client.js';
import { ControlPlaneRejectedError } from './control-plane.errors.js';
import type { IsolationPolicy } from '../policy/isolation-policy.js';
import { PolicyRejectedError } from '../policy/policy.errors.js';
import type { PolicyCopy } from './policy-copy.js';

export interface GovernanceLogger {
  log(message: string): void;
  warn(message: string, error?: unknown): void;
  error(message: string): void;
}

export interface PolicyFollowerOptions {
  readonly client: ControlPlaneClient;
  readonly identity: Pick<ProxyIdentity, 'id'>;
  readonly policy: Pick<IsolationPolicy, 'revision' | 'configuration' | 'apply' | 'change'>;
  readonly access?: Pick<AccessDecisions, 'startStream' | 'change'>;
  readonly copy?: PolicyCopy;
  readonly clock: Clock;
  readonly logger: GovernanceLogger;
  /** The report has changed. */
  readonly onReport: () => void;
  /** The control plane does not know the proxy. */
  readonly onUnknown: () => void;
}

/** The revision that a change starts from is not the one in force. */
class RevisionGapError extends DomainError {
  readonly code = 'REVISION_GAP';
}

const RETRY = { minMs: 100, maxMs: 5000, random: Math.random };
const COPY_INTERVAL_MS = 1000;
const CONFIRM_INTERVAL_MS = 60_000;
const MAX_REASON_LENGTH = 1000;

/** Keeps the policy of a pool in force at a proxy as it is at the control plane, for as long as that can be reached. */
export class PolicyFollower {
  readonly #options: PolicyFollowerOptions;
  readonly #backoff = new Backoff(RETRY);
  readonly #applied = Promise.withResolvers<void>();
  /** Without the tenants, which are kept by id. */
  #base: Omit<CompletePolicy, 'tenants'> | undefined;
  #tenants = new Map<string, TenantPolicy>();
  #source: PolicyReport['source'] = 'none';
  #heardAtMs: number;
  #rejected: PolicyReport['rejected'];
  #isConnected = false;
  /** Whether the last stream did not go on where it was asked to. */
  #isResumeRejected = false;
  #failure: string | undefined;
  #stopping = new AbortController().signal;
  #copying: Promise<void> | undefined;
  #isCopyDue = false;
  #copyProblem: string | undefined;
  #copyConfirmedAtMs = 0;

  constructor(options: PolicyFollowerOptions) {
    this.#options = options;
    this.#heardAtMs = options.clock.now();
  }

  /** Resolves when a policy came from a control plane for the first time. */
  get hasApplied(): Promise<void> {
    return this.#applied.promise;
  }

  /** Whether a stream is open. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Why the copy could not be read or written the last time. */
  get copyProblem(): string | undefined {
    return this.#copyProblem;
  }

  report(): PolicyReport {
    const { policy, clock } = this.#options;
    return {
      ...(policy.revision !== undefined && { revision: policy.revision }),
      source: this.#source,
      age_seconds: Math.max(0, clock.now() - this.#heardAtMs) / 1000,
      ...(this.#rejected && { rejected: this.#rejected }),
    };
  }

  /** The control plane was heard of. */
  noteActivity(): void {
    this.#heardAtMs = this.#options.clock.now();
  }

  /** Puts the copy into force, unless there is none or it cannot be used. */
  async useCopy(): Promise<void> {
    const { copy, policy, clock, logger, onReport } = this.#options;
    if (this.#source !== 'none') {
      return;
    }
    try {
      const copied = await copy?.read();
      // It may have come meanwhile.
      if (copied === undefined || this.report().source !== 'none') {
        return;
      }
      this.#apply(copied.document);
      this.#source = 'disk';
      this.#heardAtMs = clock.now() - Math.max(0, clock.date().getTime() - copied.confirmedAtMs);
      const seconds = Math.round(this.report().age_seconds);
      logger.warn(`the policy in force is the copy on disk: revision ${policy.revision}, confirmed ${seconds} s ago`);
      onReport();
    } catch (error) {
      this.#copyProblem = messageOf(error);
      logger.warn(`the copy of the policy is not used: ${this.#copyProblem}`);
    }
  }

  /** Follows the control plane until the signal aborts, and leaves a copy that is up to date. Never rejects. */
  async follow(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    this.#stopping = signal;
    while (!signal.aborted) {
      const openedAtMs = clock.now();
      try {
        await this.#followStream(signal);
        this.#note('the policy stream has ended');
      } catch (error) {
        if (error instanceof ControlPlaneRejectedError && error.status === 404) {
          this.#options.onUnknown();
        } else if (!signal.aborted) {
          this.#note(messageOf(error));
        }
      }
      this.#isConnected = false;
      if (clock.now() - openedAtMs >= RETRY.maxMs) {
        this.#backoff.reset();
      }
      await pause(this.#backoff.next(), signal);
    }
    await this.#copying;
  }

  async #followStream(signal: AbortSignal): Promise<void> {
    const { client, identity, access, policy, logger } = this.#options;
    const after = this.#isResumeRejected ? undefined : positionOf(policy);
    access?.startStream();
    const events = client.followPolicy(identity.id, { signal, after, onActivity: () => this.noteActivity() });
    let isFirst = true;
    for await (const event of events) {
      if (!this.#isConnected) {
        this.#isConnected = true;
        if (this.#failure !== undefined) {
          this.#failure = undefined;
          logger.log('the control plane is reachable again');
        }
      }
      try {
        this.#receive(event);
      } catch (error) {
        this.#isResumeRejected = isFirst && after !== undefined;
        throw error;
      }
      isFirst &&= event.type === 'access';
      this.#confirmCopy();
    }
  }

  /** @throws {RevisionGapError} */
  #receive({ type, id, data }: PolicyEvent): void {
    if (type === 'access') {
      this.#options.access?.change(readAccessChange(data));
      return;
    }
    try {
      if (type === 'policy') {
        this.#apply(parseDocument(data) as CompletePolicy);
      } else {
        this.#change(parseDocument(data) as PolicyChange, id);
      }
    } catch (error) {
      if (error instanceof RevisionGapError) {
        throw error;
      }
      this.#reject(id, error);
      return;
    }
    this.#isResumeRejected = false;
    this.#backoff.reset();
    this.#source = 'stream';
    this.#rejected = undefined;
    this.#applied.resolve();
    this.#options.onReport();
    this.#startCopying();
  }

  #apply(document: CompletePolicy): void {
    const { policy, logger } = this.#options;
    policy.apply(document);
    const { revision, tenants, restored, ...base } = document;
    this.#base = { ...base, revision };
    this.#tenants = new Map(tenants.map((tenant) => [tenant.tenant_id, tenant]));
    const note = restored === true ? ', of a store that was restored to an earlier state' : '';
    logger.log(`policy revision ${revision} is in force: ${tenants.length} tenants${note}`);
  }

  #change(document: PolicyChange, id: string | undefined): void {
    const { policy } = this.#options;
    const isOther = id !== undefined && configurationOf(id) !== policy.configuration;
    if (document.from !== policy.revision || isOther) {
      const found = `the change starts from revision ${document.from} (${id ?? 'without an id'})`;
      throw new RevisionGapError(`${found}, and ${policy.revision} of ${policy.configuration} is in force`);
    }
    policy.change(document);
    document.removed.forEach((tenant) => this.#tenants.delete(tenant));
    document.tenants.forEach((tenant) => this.#tenants.set(tenant.tenant_id, tenant));
    this.#base = this.#base && { ...this.#base, revision: document.revision };
  }

  #reject(id: string | undefined, error: unknown): void {
    const { policy, logger, onReport } = this.#options;
    const [revision = revisionOf(id), message] =
      error instanceof PolicyRejectedError
        ? [error.revision, error.problems.join('; ')]
        : [revisionOf(id), messageOf(error)];
    const reason = message.slice(0, MAX_REASON_LENGTH);
    this.#rejected = { revision, reason };
    const basis = policy.revision === undefined ? 'nothing is served' : `revision ${policy.revision} stays in force`;
    logger.error(`policy revision ${revision} cannot be applied, ${basis}: ${reason}`);
    onReport();
  }

  #note(failure: string): void {
    if (this.#failure === undefined) {
      const { source, revision } = this.report();
      const basis =
        source === 'none' ? 'there is no policy, so nothing is served' : `policy revision ${revision} stays in force`;
      this.#options.logger.warn(`the control plane cannot be followed, ${basis}: ${failure}`);
    }
    this.#failure = failure;
  }

  #startCopying(): void {
    const { copy } = this.#options;
    if (copy !== undefined) {
      this.#isCopyDue = true;
      this.#copying ??= this.#writeCopies(copy); // never rejects
    }
  }

  /** Writes what is in force until nothing has changed meanwhile; a large policy less often, because that takes time. */
  async #writeCopies(copy: PolicyCopy): Promise<void> {
    const { clock, logger } = this.#options;
    while (this.#isCopyDue && this.#base !== undefined) {
      this.#isCopyDue = false;
      const startedAtMs = clock.now();
      try {
        await copy.write({ ...this.#base, tenants: [...this.#tenants.values()] });
        this.#copyProblem = undefined;
        this.#copyConfirmedAtMs = clock.now();
      } catch (error) {
        if (this.#copyProblem === undefined) {
          logger.warn(
            'the copy of the policy cannot be written: after a restart this proxy needs the control plane',
            error,
          );
        }
        this.#copyProblem = messageOf(error);
      }
      const tookMs = clock.now() - startedAtMs;
      await pause(Math.max(COPY_INTERVAL_MS, 20 * tookMs), this.#stopping);
    }
    this.#copying = undefined;
  }

  /** Keeps the age of the copy true, while nothing changes. */
  #confirmCopy(): void {
    const { copy, clock } = this.#options;
    const isDue = clock.now() - this.#copyConfirmedAtMs >= CONFIRM_INTERVAL_MS;
    if (copy !== undefined && this.#source === 'stream' && this.#copyProblem === undefined && isDue) {
      this.#copyConfirmedAtMs = clock.now();
      // Without it the copy only looks older than it is.
      void copy.confirm().catch(() => {});
    }
  }
}

function positionOf({
  revision,
  configuration,
}: Pick<IsolationPolicy, 'revision' | 'configuration'>): string | undefined {
  return revision === undefined ? undefined : `${configuration}:${revision}`;
}

function configurationOf(id: string): string {
  return id.slice(0, id.lastIndexOf(':'));
}

/** That of the event, because the document may hold none; 0 when nothing says one. */
function revisionOf(id = ''): number {
  const revision = Number(id.slice(id.lastIndexOf(':') + 1));
  return Number.isSafeInteger(revision) && revision >= 0 ? revision : 0;
}

/** Its content is checked by whoever applies it. */
function parseDocument(data: string): unknown {
  const document = parseJsonObject(data);
  if (document === undefined) {
    throw new TypeError('expected a JSON object');
  }
  return document;
}

/** What is unclear concerns everybody. */
function readAccessChange(data: string): AccessChange {
  const { users, namespaces, providers, everything } = parseJsonObject(data) ?? {};
  return isTexts(users) && isTexts(namespaces) && isTexts(providers) && everything === undefined
    ? { users, namespaces, providers }
    : { users: [], namespaces: [], providers: [], everything: true };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
