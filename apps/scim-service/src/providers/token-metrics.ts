import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Store, StoreUnavailableError } from '@palisade/domain';
import { Metrics } from '@palisade/platform';

const DAY_MS = 86_400_000;
const PERIOD_DAYS = 30;
/** What is told in days need not be newer than that, however often somebody scrapes. */
const MAX_AGE_MS = 300_000;

/**
 * How many tokens of providers end soon; counted every five minutes at most. No scrape waits for the store: it has the
 * number that was counted for the one before it, and none while the store is unreachable.
 */
@Injectable()
export class TokenMetrics implements OnModuleInit {
  private readonly logger = new Logger(TokenMetrics.name);
  private count: number | undefined;
  private countedAt = -Infinity;
  private isCounting = false;

  constructor(
    private readonly metrics: Metrics,
    private readonly store: Store,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge({
      name: 'provider_tokens_expiring',
      help: `Tokens and client secrets of providers that are valid and end within ${PERIOD_DAYS} days.`,
      read: () => {
        void this.refresh(); // never rejects
        return this.count;
      },
    });
  }

  private async refresh(): Promise<void> {
    const now = Date.now();
    if (this.isCounting || now - this.countedAt < MAX_AGE_MS) {
      return;
    }
    this.isCounting = true;
    try {
      const period = { after: new Date(now), until: new Date(now + PERIOD_DAYS * DAY_MS) };
      this.count = await this.store.providers.countTokensEnding(period);
      this.countedAt = now;
    } catch (error) {
      this.count = undefined;
      if (!(error instanceof StoreUnavailableError)) {
        this.logger.error('tokens that expire could not be counted', error);
      }
    } finally {
      this.isCounting = false;
    }
  }
}
