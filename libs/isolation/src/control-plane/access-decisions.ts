import { Backoff, mapParallel, type Clock, type Timer } from '@palisade/async';
import {
  candidateIds,
  MAX_ACCESS_QUESTIONS,
  messageOf,
  parseProviderId,
  parseResourceId,
  type AccessAnswerDocument,
  type AccessChange,
  type AccessQuestionDocument,
} from '@palisade/domain';
import { LRUCache } from 'lru-cache';
import { AccessDeniedError, AccessUnknownError } from './control-plane.errors.js';

/** Whether a user may do something in a namespace. */
export type AccessQuestion = AccessQuestionDocument;
export type AccessDecision = Pick<AccessAnswerDocument, 'allowed' | 'because' | 'reason'>;

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

/** Whom a question may be about. */
interface UserNames {
  /** Full identifiers; none when nobody can have such a name. */
  readonly ids: readonly string[];
  readonly provider: string | undefined;
}

/** What is known about one question. */
interface Entry {
  readonly key: string;
  readonly question: AccessQuestion;
  readonly user: UserNames;
  /** Full identifier of the user who was meant when it was last allowed: an external id may have become somebody's later. */
  holder?: string;
  /** Differs after each change that concerns the question: an answer to an earlier version is not taken. */
  version: number;
  answer?: AccessDecision;
  /** A denial is asked again after this. */
  freshUntilMs: number;
  waiting?: PromiseWithResolvers<AccessDecision>;
  /** Since when something that was known has to be asked again. */
  doubtfulSinceMs?: number;
}

/** A question, and the version that it was asked for. */
interface Asked {
  readonly entry: Entry;
  readonly version: number;
}

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
  readonly #known: LRUCache<string, Entry>;
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
    this.#known = new LRUCache({ max: maxKnown });
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
      this.#unconfirmed = this.#entriesOf(() => true);
      this.#askAgain(this.#unconfirmed, false);
    }
    const concerns = concernedBy(change);
    if (concerns !== undefined) {
      this.#askAgain(this.#entriesOf(concerns), true);
    }
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
    const entry = this.#known.get(keyOf(question));
    return entry?.answer !== undefined && this.#clock.now() < entry.freshUntilMs ? entry.answer : undefined;
  }

  async #ask(question: AccessQuestion): Promise<AccessDecision> {
    const entry = this.#entryOf(question);
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

  #entryOf(question: AccessQuestion): Entry {
    const key = keyOf(question);
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    const entry: Entry = { key, question, user: namesOf(question), version: 0, freshUntilMs: 0 };
    this.#known.set(key, entry);
    return entry;
  }

  /** Of what is known, and of what is held although its answer is forgotten. */
  #entriesOf(isConcerned: (entry: Entry) => boolean): Set<Entry> {
    const held = this.#holders.flatMap((holder) =>
      Array.from(holder.heldAccess(), (question) => this.#entryOf(question)),
    );
    return new Set([...this.#known.values(), ...held].filter(isConcerned));
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
        this.#known.delete(entry.key);
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
    this.#known.delete(entry.key);
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

/** The user is last: only that may contain any character. */
function keyOf({ user, provider = '', namespace, relation }: AccessQuestion): string {
  return `${provider}\n${namespace}\n${relation}\n${user}`;
}

function namesOf({ user, provider }: AccessQuestion): UserNames {
  if (provider !== undefined) {
    return { ids: candidateIds('User', parseProviderId(provider), user), provider };
  }
  const parts = parseResourceId(user);
  return { ids: parts?.type === 'User' ? [user] : [], provider: parts?.providerId };
}

/** Undefined when the change concerns nobody. */
function concernedBy(change: AccessChange): ((entry: Entry) => boolean) | undefined {
  if (change.everything === true) {
    return () => true;
  }
  const [users, namespaces, providers] = [change.users, change.namespaces, change.providers].map(
    (names) => new Set(names),
  ) as [Set<string>, Set<string>, Set<string>];
  if (users.size + namespaces.size + providers.size === 0) {
    return undefined;
  }
  return ({ question, holder, user: { ids, provider } }) =>
    namespaces.has(question.namespace) ||
    ids.some((id) => users.has(id)) ||
    (holder === undefined ? users.size > 0 : users.has(holder)) ||
    (provider !== undefined && providers.has(provider));
}
