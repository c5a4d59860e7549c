import type { Admin, ClientQuotaKeyValue } from '@platformatic/kafka';
import { ClientQuotaEntityTypes, ClientQuotaKeys, ClientQuotaMatchTypes } from '../kafka-package.js';

/** What each broker lets a user do; what is absent is not limited. */
export interface KafkaQuotas {
  readonly producedBytesPerSecond?: number;
  readonly consumedBytesPerSecond?: number;
  /** Share of the time of a broker's threads; several threads make more than 100. */
  readonly requestPercent?: number;
}

const KEYS = {
  producedBytesPerSecond: ClientQuotaKeys.PRODUCER_BYTE_RATE,
  consumedBytesPerSecond: ClientQuotaKeys.CONSUMER_BYTE_RATE,
  requestPercent: ClientQuotaKeys.REQUEST_PERCENTAGE,
} satisfies Record<keyof KafkaQuotas, ClientQuotaKeyValue>;

/** A quota that differs; without `wanted` there should be none. */
export interface QuotaDifference {
  readonly key: ClientQuotaKeyValue;
  readonly found: number | undefined;
  readonly wanted: number | undefined;
}

export async function findQuotaDifferences(
  admin: Admin,
  user: string,
  quotas: KafkaQuotas,
): Promise<readonly QuotaDifference[]> {
  const component = {
    entityType: ClientQuotaEntityTypes.USER,
    matchType: ClientQuotaMatchTypes.EXACT,
    match: user,
  };
  const entries = await admin.describeClientQuotas({ components: [component], strict: true });
  const found = new Map(entries.flatMap(({ values }) => values.map(({ key, value }) => [key, value] as const)));
  return Object.entries(KEYS)
    .map(([name, key]) => ({ key, found: found.get(key), wanted: quotas[name as keyof KafkaQuotas] }))
    .filter((difference) => difference.found !== difference.wanted);
}

export async function changeQuotas(admin: Admin, user: string, changes: readonly QuotaDifference[]): Promise<void> {
  if (changes.length === 0) {
    return;
  }
  const ops = changes.map(({ key, wanted }) =>
    wanted === undefined ? ({ key, remove: true } as const) : ({ key, value: wanted, remove: false } as const),
  );
  const entities = [{ entityType: ClientQuotaEntityTypes.USER, entityName: user }];
  await admin.alterClientQuotas({ entries: [{ entities, ops }] });
}
