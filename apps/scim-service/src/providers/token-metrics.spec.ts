import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DEFAULT_PROVIDER_SETTINGS, parseProviderId } from '@palisade/domain';
import { Metrics } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { TokenMetrics } from './token-metrics.js';

const NOW = new Date('2026-11-20T08:00:00Z');
const PROVIDER = parseProviderId('entra');
const CHANGE = { actor: 'test', at: NOW };

describe(TokenMetrics.name, () => {
  let store: MemoryStore;
  let metrics: Metrics;
  beforeEach(async () => {
    jest.useFakeTimers({ now: NOW });
    store = new MemoryStore();
    metrics = new Metrics();
    await store.providers.create(PROVIDER, { settings: DEFAULT_PROVIDER_SETTINGS }, CHANGE);
    new TokenMetrics(metrics, store).onModuleInit();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  async function addToken(id: string, expiresAt: string): Promise<void> {
    const token = { id, provider: PROVIDER, kind: 'bearer', digest: id, hint: id, createdAt: NOW } as const;
    await store.providers.addToken({ ...token, expiresAt: new Date(expiresAt) }, CHANGE);
  }

  /** The second one tells what was counted for the first. */
  async function scrapeTwice(): Promise<string[]> {
    await metrics.registry.metrics();
    return (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('provider_tokens'));
  }

  it('does not keep a scrape waiting for the store', async () => {
    store.providers.countTokensEnding = () => new Promise(() => {});
    expect(await scrapeTwice()).toEqual([]);
  });

  it('counts what ends within 30 days and has not ended', async () => {
    await addToken('a', '2026-12-20T08:00:00Z');
    await addToken('b', '2026-12-20T08:00:01Z');
    await addToken('c', '2026-11-20T07:59:59Z');
    expect(await scrapeTwice()).toEqual(['provider_tokens_expiring 1']);
  });

  it('counts again only after five minutes', async () => {
    expect(await scrapeTwice()).toEqual(['provider_tokens_expiring 0']);
    await addToken('a', '2026-12-01T00:00:00Z');
    jest.advanceTimersByTime(299_000);
    expect(await scrapeTwice()).toEqual(['provider_tokens_expiring 0']);
    jest.advanceTimersByTime(1000);
    expect(await scrapeTwice()).toEqual(['provider_tokens_expiring 1']);
  });

  it('tells nothing while the store is unreachable', async () => {
    await scrapeTwice();
    await store.close();
    jest.advanceTimersByTime(300_000);
    expect(await scrapeTwice()).toEqual([]);
  });
});
