import {
  candidateIds,
  parseProviderId,
  parseResourceId,
  type AccessAnswerDocument,
  type AccessChange,
  type AccessQuestionDocument,
} from '@palisade/domain';
import { LRUCache } from 'lru-cache';

/** Whether a user may do something in a namespace. */
export type AccessQuestion = AccessQuestionDocument;
export type AccessDecision = Pick<AccessAnswerDocument, 'allowed' | 'because' | 'reason'>;

/** Whom a question may be about. */
interface UserNames {
  /** Full identifiers; none when nobody can have such a name. */
  readonly ids: readonly string[];
  readonly provider: string | undefined;
}

/** What is known about one question. */
export interface Entry {
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

/** The questions that were asked last, with what is known about each. */
export class KnownAccess {
  readonly #entries: LRUCache<string, Entry>;
  /** The same ones: to go through a set of 50,000 takes a millisecond, and through the cache fifteen. */
  readonly #all = new Set<Entry>();

  constructor(max: number) {
    this.#entries = new LRUCache({ max, dispose: (entry) => this.#all.delete(entry) });
  }

  get size(): number {
    return this.#entries.size;
  }

  find(question: AccessQuestion): Entry | undefined {
    return this.#entries.get(keyOf(question));
  }

  /** That of the question, which is new if there is none. */
  entryOf(question: AccessQuestion): Entry {
    const key = keyOf(question);
    const known = this.#entries.get(key);
    if (known !== undefined) {
      return known;
    }
    const entry: Entry = { key, question, user: namesOf(question), version: 0, freshUntilMs: 0 };
    this.#entries.set(key, entry);
    this.#all.add(entry);
    return entry;
  }

  /** Those that a change concerns, of what is known and of what is held although its answer is forgotten. */
  concernedBy(change: AccessChange, held: readonly AccessQuestion[]): ReadonlySet<Entry> {
    const isConcerned = concernOf(change);
    const found = new Set<Entry>();
    if (isConcerned === undefined) {
      return found;
    }
    const forgotten = held.map((question) => this.entryOf(question));
    for (const entry of this.#all) {
      if (isConcerned(entry)) {
        found.add(entry);
      }
    }
    forgotten.filter(isConcerned).forEach((entry) => found.add(entry));
    return found;
  }

  forget({ key }: Entry): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** The user is last: only that may contain any character. */
export function keyOf({ user, provider = '', namespace, relation }: AccessQuestion): string {
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
function concernOf(change: AccessChange): ((entry: Entry) => boolean) | undefined {
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
