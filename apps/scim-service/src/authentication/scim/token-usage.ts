import { Injectable, Logger } from '@nestjs/common';
import { Store, type ProviderToken } from '@palisade/domain';
import { LRUCache } from 'lru-cache';

const MAX_TOKENS = 10_000;
const INTERVAL_MS = 60_000;

/** Notes in the store when a token was last used: exact to a minute, and never in the way of a request. */
@Injectable()
export class TokenUsage {
  private readonly logger = new Logger(TokenUsage.name);
  private readonly notedAt = new LRUCache<string, number>({ max: MAX_TOKENS });

  constructor(private readonly store: Store) {}

  note(token: ProviderToken, now: number): void {
    const last = this.notedAt.get(token.id) ?? token.lastUsedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
    if (now - last < INTERVAL_MS) {
      return;
    }
    this.notedAt.set(token.id, now);
    // Nobody waits for it: a request must not fail or slow down because its token could not be marked.
    void this.write(token.id, new Date(now));
  }

  private async write(tokenId: string, usedAt: Date): Promise<void> {
    try {
      await this.store.providers.touchToken(tokenId, usedAt);
    } catch (error) {
      this.logger.warn(`the use of token ${tokenId} could not be noted`, error);
    }
  }
}
