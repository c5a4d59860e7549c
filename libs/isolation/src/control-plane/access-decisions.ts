import { Backoff, mapParallel, type Clock, type Timer } from '@palisade/async';
import { MAX_ACCESS_QUESTIONS, messageOf, type AccessAnswerDocument, type AccessChange } from '@palisade/domain';
import { AccessDeniedError, AccessUnknownError } from './control-plane.errors.js';
import { keyOf, KnownAccess, type AccessDecision, type AccessQuestion, type Entry } from './known-access.js';

/** For whom something is done, and what they have to be allowed for it; in the caller's namespace. */
export type AccessDemand = Omit<AccessQuestion, 'namespace'>;

/** What exists or is done because users may do it. */
export interface AccessHolder {
  /** By which questions it is allowed. */
  heldAccess(): Iterable<AccessQuestion>;
  /** Ends what is allowed by a question for which there is a reason now. */
  endAccess(reasonFor: (question: AccessQuestion) => Error | undefined): void;
}

export interface AccessDecisionsOptions {
  readonly ask: (questions: readonly AccessQuestion[]) => Promise<readonly AccessAnswerDocument[]>;
  /** For so long what is known holds without being confirmed, in milliseconds. Default 30,000. */
  readonly leaseMs?: number;
  /** Answers that are kept at most. Default 50,000. */
  readonly maxKnown?: number;
  readonly clock: Clock;
  /** Called when the lease has run out, with how long nothing was confirmed, and when it is confirmed again. */
  readonly onCutOff?: (seconds: number | undefined) => void;
}

export interface AccessSnapshot {
  readonly known: number;
  /** Questions that are being asked. */
  readonly asking: number;
  readonly decisions: Readonly<Record<'allowed' | 'denied' | 'unknown', number>>;
  /** Set while nothing that needs a user is served. */
  readonly cutOffSeconds: number | undefined;
}

/** A question, and the version that it was asked for. */
interface Asked {
  readonly entry: Entry;
  readonly version: number;
}

const EVERYTHING: AccessChange = { users: [], namespaces: [], providers: [], everything: true };
const DEFAULT_LEASE_MS = 30_000;
/** What is held is ended before the lease is over, so that its connections are closed when it is. */
const LEASE_SHARE = 0.9;
/** Nothing says that somebody who was unknown is known now. */
const DENIAL_MS = 5000;
const MAX_WAITING = 10_000;
const MAX_REQUESTS = 4;
const RETRY = { minMs: 100, maxMs: 2000, random: Math.random };

/**
 * Asks the control plane once whether a user may do something, and remembers the answer for as long as the control plane
 * confirms every second that nothing has changed. When something has, what concerns it is asked again, and whatever the user
 * may not do any more ends. What is not confirmed for the lease ends too: without a control plane nothing is allowed.
 */
export class AccessDecisions {
  readonly #options: AccessDecisionsOptions;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #known: KnownAccess;
  readonly #decisions = { allowed: 0, denied: 0, unknown: 0 };
  readonly #retry = new Backoff(RETRY);
  readonly #holders: AccessHolder[] = [];
  #queue: Entry[] = [];
  #asking = 0;
  #isFlushing = false;
  #confirmedAtMs: number;
  #isCutOff = false;
  /** Whether the stream is a new one, of which nothing is known yet. */
  #isNewStream = true;
  /** What has to be known again before a new stream confirms anything. */
  #unconfirmed = new Set<Entry>();
  #leaseEnd: Timer | undefined;

  constructor(options: AccessDecisionsOptions) {
    const { clock, leaseMs = DEFAULT_LEASE_MS, maxKnown = 50_000 } = options;
    this.#options = options;
    this.#clock = clock;
    this.#leaseMs = leaseMs * LEASE_SHARE;
    this.#known = new KnownAccess(maxKnown);
    this.#confirmedAtMs = clock.now();
    this.#watchLease();
  }

  /**
   * Whether a user may do something: at once when it is known, else after the control plane was asked.
   *
   * @throws {AccessUnknownError} when it is not known and cannot be asked
   */
  async decide(question: AccessQuestion): Promise<AccessDecision> {
    try {
      const decision = this.#recall(question) ?? (await this.#ask(question));
      this.#decisions[decision.allowed ? 'allowed' : 'denied']++;
      return decision;
    } catch (error) {
      this.#decisions.unknown++;
      throw error;
    }
  }

  /**
   * Resolves to why a user may do something.
   *
   * @throws {AccessDeniedError} {@link AccessUnknownError}
   */
  async require(question: AccessQuestion): Promise<AccessDecision['because']> {
    const decision = await this.decide(question);
    if (!decision.allowed) {
      throw denialOf(question, decision);
    }
    return decision.because;
  }

  /** Has what is not allowed any more ended. */
  addHolder(holder: AccessHolder): void {
    this.#holders.push(holder);
  }

  /** A stream was opened: what was said meanwhile is not known. */
  startStream(): void {
    this.#isNewStream = true;
  }

  /** Takes an event of the stream: what it concerns is asked again, and nothing else has changed. */
  change(change: AccessChange): void {
    if (this.#isNewStream) {
      this.#isNewStream = false;
      this.#unconfirmed = new Set(this.#concernedBy(EVERYTHING));
      this.#askAgain(this.#unconfirmed, false);
    }
    this.#askAgain(this.#concernedBy(change), true);
    this.#confirm();
  }

  snapshot(): AccessSnapshot {
    return {
      known: this.#known.size,
      asking: this.#asking + this.#queue.length,
      decisions: { ...this.#decisions },
      cutOffSeconds: this.#isOverdue() ? this.#silentSeconds() : undefined,
    };
  }

  /** Decides nothing any more. */
  close(): void {
    this.#leaseEnd?.cancel();
  }

  #recall(question: AccessQuestion): AccessDecision | undefined {
    if (this.#isOverdue()) {
      throw this.#cutOffError();
    }
    const entry = this.#known.find(question);
    return entry?.answer !== undefined && this.#clock.now() < entry.freshUntilMs ? entry.answer : undefined;
  }

  async #ask(question: AccessQuestion): Promise<AccessDecision> {
    const entry = this.#known.entryOf(question);
    if (entry.user.ids.length === 0) {
      return { allowed: false, reason: 'unknown_user' };
    }
    if (entry.waiting === undefined) {
      if (this.#queue.length >= MAX_WAITING) {
        throw new AccessUnknownError(`${MAX_WAITING} questions wait for an answer`);
      }
      this.#enqueue(entry);
    }
    entry.waiting ??= createWaiting();
    const decision = await entry.waiting.promise;
    if (this.#isOverdue()) {
      throw this.#cutOffError();
    }
    return decision;
  }

  #concernedBy(change: AccessChange): ReadonlySet<Entry> {
    const held = this.#holders.flatMap((holder) => [...holder.heldAccess()]);
    return this.#known.concernedBy(change, held);
  }

  /** @param isChanged whether what is known may not be used any more */
  #askAgain(entries: Iterable<Entry>, isChanged: boolean): void {
    const now = this.#clock.now();
    for (const entry of entries) {
      entry.version++;
      entry.doubtfulSinceMs ??= now;
      if (isChanged) {
        entry.answer = undefined;
      }
      this.#enqueue(entry);
    }
  }

  #enqueue(entry: Entry): void {
    this.#queue.push(entry);
    if (!this.#isFlushing) {
      this.#isFlushing = true;
      // Questions of the same moment share a request.
      setImmediate(() => this.#flush());
    }
  }

  #flush(): void {
    this.#isFlushing = false;
    const asked = [...new Set(this.#queue)].map((entry) => ({ entry, version: entry.version }));
    this.#queue = [];
    const batches = Array.from({ length: Math.ceil(asked.length / MAX_ACCESS_QUESTIONS) }, (_, at) =>
      asked.slice(at * MAX_ACCESS_QUESTIONS, (at + 1) * MAX_ACCESS_QUESTIONS),
    );
    void mapParallel(batches, MAX_REQUESTS, (batch) => this.#askFor(batch)); // never rejects
  }

  async #askFor(asked: readonly Asked[]): Promise<void> {
    this.#asking += asked.length;
    try {
      const answers = await this.#options.ask(asked.map(({ entry }) => entry.question));
      const losses = new Map<string, Error>();
      asked.forEach(({ entry, version }, at) => {
        const answer = answers[at];
        if (answer !== undefined && entry.version === version) {
          this.#take(entry, answer, losses);
        }
      });
      this.#end(losses);
    } catch (error) {
      this.#fail(asked, error);
    } finally {
      this.#asking -= asked.length;
    }
  }

  #take(entry: Entry, { allowed, user, because, reason }: AccessAnswerDocument, losses: Map<string, Error>): void {
    const decision: AccessDecision = { allowed, because, reason };
    if (!allowed && entry.doubtfulSinceMs !== undefined) {
      losses.set(entry.key, denialOf(entry.question, decision));
    }
    entry.holder = user ?? entry.holder;
    entry.answer = decision;
    entry.freshUntilMs = allowed ? Infinity : this.#clock.now() + DENIAL_MS;
    entry.doubtfulSinceMs = undefined;
    this.#unconfirmed.delete(entry);
    entry.waiting?.resolve(decision);
    entry.waiting = undefined;
  }

  /** What was known is asked again until it is too old; nobody is kept waiting for that. */
  #fail(asked: readonly Asked[], error: unknown): void {
    const unknown = new AccessUnknownError(messageOf(error), { cause: error });
    const losses = new Map<string, Error>();
    const again: Entry[] = [];
    for (const { entry, version } of asked) {
      if (entry.version !== version) {
        continue;
      }
      entry.waiting?.reject(unknown);
      entry.waiting = undefined;
      if (entry.doubtfulSinceMs === undefined) {
        this.#known.forget(entry);
      } else if (this.#clock.now() - entry.doubtfulSinceMs < this.#leaseMs) {
        again.push(entry);
      } else {
        this.#forget(entry);
        losses.set(entry.key, unknown);
      }
    }
    this.#end(losses);
    if (again.length > 0) {
      this.#clock.setBackgroundTimer(() => again.forEach((entry) => this.#enqueue(entry)), this.#retry.next());
    }
  }

  #forget(entry: Entry): void {
    this.#known.forget(entry);
    this.#unconfirmed.delete(entry);
    entry.doubtfulSinceMs = undefined;
  }

  #end(losses: ReadonlyMap<string, Error>): void {
    if (losses.size > 0) {
      this.#holders.forEach((holder) => holder.endAccess((question) => losses.get(keyOf(question))));
    }
  }

  #confirm(): void {
    if (this.#isNewStream || this.#unconfirmed.size > 0) {
      return;
    }
    this.#confirmedAtMs = this.#clock.now();
    this.#retry.reset();
    if (this.#isCutOff) {
      this.#isCutOff = false;
      this.#options.onCutOff?.(undefined);
    }
    this.#watchLease();
  }

  #watchLease(): void {
    this.#leaseEnd?.cancel();
    this.#leaseEnd = this.#clock.setBackgroundTimer(() => this.#cutOff(), this.#leaseMs);
  }

  #cutOff(): void {
    this.#isCutOff = true;
    this.#known.clear();
    this.#unconfirmed.clear();
    this.#isNewStream = true;
    const error = this.#cutOffError();
    this.#options.onCutOff?.(this.#silentSeconds());
    this.#holders.forEach((holder) => holder.endAccess(() => error));
  }

  #isOverdue(): boolean {
    return this.#isCutOff || this.#clock.now() - this.#confirmedAtMs >= this.#leaseMs;
  }

  #silentSeconds(): number {
    return (this.#clock.now() - this.#confirmedAtMs) / 1000;
  }

  #cutOffError(): AccessUnknownError {
    return new AccessUnknownError(`the control plane has confirmed nothing for ${Math.round(this.#silentSeconds())} s`);
  }
}

/** What has to be allowed for a caller; undefined when nothing has. */
export function questionOf(caller: {
  readonly namespace: string;
  readonly access?: AccessDemand;
}): AccessQuestion | undefined {
  return caller.access && { ...caller.access, namespace: caller.namespace };
}

function createWaiting(): PromiseWithResolvers<AccessDecision> {
  const waiting = Promise.withResolvers<AccessDecision>();
  // What is asked again may fail while nobody waits.
  waiting.promise.catch(() => {});
  return waiting;
}

function denialOf({ user, namespace, relation }: AccessQuestion, { reason }: AccessDecision): AccessDeniedError {
  return new AccessDeniedError(user, namespace, relation, reason ?? 'denied');
}
