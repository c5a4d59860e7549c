import { RELOAD_REQUEST_LIFETIME_MS, type ReloadRequest } from '@palisade/domain';

const MAX_PENDING = 100;
/** By then the asker has read the answer. */
const FORGOTTEN_AFTER_MS = 10 * RELOAD_REQUEST_LIFETIME_MS;

interface KeptRequest extends ReloadRequest {
  readonly keptAt: number;
  readonly versionId?: string;
}

/** Requests for a reload with the versions that answer them. */
export class ReloadTable {
  private readonly requests = new Map<string, KeptRequest>();

  constructor(private readonly now: () => number) {}

  add({ id, actor, at }: ReloadRequest): void {
    for (const [known, { keptAt }] of this.requests) {
      if (keptAt < this.now() - FORGOTTEN_AFTER_MS) {
        this.requests.delete(known);
      }
    }
    if (!this.requests.has(id)) {
      this.requests.set(id, { id, actor, at: new Date(at), keptAt: this.now() });
    }
  }

  /** In order of id. */
  pending(): ReloadRequest[] {
    const since = this.now() - RELOAD_REQUEST_LIFETIME_MS;
    return [...this.requests.values()]
      .filter(({ versionId, keptAt }) => versionId === undefined && keptAt >= since)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, MAX_PENDING)
      .map(({ id, actor, at }) => ({ id, actor, at: new Date(at) }));
  }

  answer(id: string, versionId: string): void {
    const request = this.requests.get(id);
    if (request !== undefined) {
      this.requests.set(id, { ...request, versionId });
    }
  }

  answerTo(id: string): string | undefined {
    return this.requests.get(id)?.versionId;
  }
}
