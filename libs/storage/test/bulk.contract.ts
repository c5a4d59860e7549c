import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { JsonObject, ProviderSettings, Store } from '@palisade/domain';
import { BULK_REQUEST_URN, ENTERPRISE_USER_URN, ScimServer } from '@palisade/scim';
import { listSealed, withoutPlace } from './support/log-harness.js';
import { freshProvider } from './support/store-harness.js';
import { runs } from '../../../test/support/effort.js';

const TIMEOUT_MS = 120_000;
/** An entity tag in JSON: the version, and a digest that tells identifiers of groups apart. */
const ENTITY_TAG = /(W\/\\"\d+)\.[\w-]+/g;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

interface Scenario {
  readonly settings: Partial<ProviderSettings>;
  readonly existing: readonly string[];
  readonly failOnErrors: number | undefined;
  readonly operations: readonly JsonObject[];
}

/** What a bulk request answers and leaves behind does not show that users are stored together. */
export function describeBulkContract(store: () => Store): void {
  describe('bulk requests', () => {
    it(
      'answer and change what they would with every operation on its own',
      async () => {
        await fc.assert(
          fc.asyncProperty(scenarios, async (scenario) => {
            const together = await outcomeOf(store(), scenario, (operations) => operations);
            const apart = await outcomeOf(store(), scenario, separate);
            expect(together).toEqual(apart);
          }),
          { numRuns: runs(10), interruptAfterTimeLimit: 30_000 },
        );
      },
      TIMEOUT_MS,
    );
  });
}

const ANCHOR = '/Users/anchor';
const CHANGES_NOTHING = {
  method: 'PATCH',
  path: ANCHOR,
  data: { Operations: [{ op: 'replace', path: 'title', value: 'Anchor' }] },
};

/** The same operations, each behind one that changes nothing, so that no two creates follow each other. */
function separate(operations: readonly JsonObject[]): JsonObject[] {
  return operations.flatMap((operation) => [CHANGES_NOTHING, operation]);
}

/** Answers, resources and log, without what differs from provider to provider. */
async function outcomeOf(
  store: Store,
  { settings, existing, failOnErrors, operations }: Scenario,
  arrange: (operations: readonly JsonObject[]) => readonly JsonObject[],
): Promise<unknown> {
  const provider = freshProvider();
  const scim = new ScimServer({ store, provider, settings, now: () => Date.UTC(2026, 0, 1) });
  await scim.createUser({ userName: 'anchor', externalId: 'anchor', title: 'Anchor' });
  for (const name of existing) {
    await scim.createUser({ userName: name, externalId: name });
  }
  const body = { schemas: [BULK_REQUEST_URN], failOnErrors, Operations: arrange(operations) };
  const results = (await scim.bulk(body)).Operations as readonly JsonObject[];
  const outcome = [
    results.filter(({ method, location }) => method !== 'PATCH' || !String(location).endsWith('anchor')),
    await scim.listUsers({ count: 1000 }),
    await scim.listGroups({ count: 1000 }),
    (await listSealed(store, { provider })).map(withoutPlace),
  ];
  return JSON.parse(withoutNames(JSON.stringify(outcome), provider));
}

/** The text without the provider and what is made of it; UUIDs are numbered as they first appear. */
function withoutNames(text: string, provider: string): string {
  const numbers = new Map<string, number>();
  return text
    .replaceAll(provider, 'P')
    .replaceAll(ENTITY_TAG, '$1')
    .replaceAll(UUID, (uuid) => {
      numbers.set(uuid, numbers.get(uuid) ?? numbers.size);
      return `uuid-${numbers.get(uuid)}`;
    });
}

const names = fc.constantFrom('ada', 'Ada', 'bob', 'BOB', 'cyd', 'dan', 'eve', 'fay', 'gus', 'hal');
const bulkIds = fc.integer({ min: 0, max: 24 }).map((index) => `bulkId:b${index}`);

const attributes = {
  userName: fc.oneof({ weight: 20, arbitrary: names }, { weight: 1, arbitrary: fc.constant('') }),
  externalId: fc.oneof({ weight: 20, arbitrary: names }, { weight: 1, arbitrary: fc.constant('bulkId') }),
  title: fc.oneof({ weight: 20, arbitrary: fc.string() }, { weight: 1, arbitrary: fc.constant(1) }),
};
const usersAlone = fc.record(attributes, { requiredKeys: ['userName'] });
const users = fc.record(
  { ...attributes, [ENTERPRISE_USER_URN]: fc.record({ manager: fc.record({ value: bulkIds }) }) },
  { requiredKeys: ['userName'] },
);
const groups = fc.record({ displayName: names, members: fc.array(fc.record({ value: bulkIds }), { maxLength: 3 }) });
const references = fc.oneof(names, bulkIds);

const operation: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 12, arbitrary: usersAlone.map((data): JsonObject => ({ method: 'POST', path: '/Users', data })) },
  { weight: 2, arbitrary: users.map((data): JsonObject => ({ method: 'POST', path: '/Users', data })) },
  { weight: 1, arbitrary: groups.map((data): JsonObject => ({ method: 'POST', path: '/Groups', data })) },
  { weight: 1, arbitrary: references.map((user): JsonObject => ({ method: 'DELETE', path: `/Users/${user}` })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(references, usersAlone)
      .map(([user, data]): JsonObject => ({ method: 'PUT', path: `/Users/${user}`, data })),
  },
  { weight: 1, arbitrary: fc.constant({ method: 'POST', path: '/Nowhere', data: {} }) },
);

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  settings: fc.record({
    dialect: fc.constantFrom('rfc', 'entra', 'okta'),
    repeatCreate: fc.constantFrom('conflict', 'return'),
    unknownMembers: fc.constantFrom('reject', 'accept'),
  }),
  existing: fc.subarray(['ada', 'bob', 'eve']),
  failOnErrors: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  operations: fc
    .array(operation, { minLength: 2, maxLength: 25 })
    .map((operations) => operations.map((operation, index) => ({ ...operation, bulkId: `b${index}` }))),
});
