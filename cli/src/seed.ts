import { dataOf, type ScimServiceClient } from '@palisade/client';
import type { Command } from 'commander';
import type { ApiClient } from './command/api-client.js';
import { addConnectionOptions, type ConnectionOptions, wholeNumber } from './command/connection-options.js';
import { connect } from './command/connection.js';
import { FailureError } from './command/command.errors.js';
import { EXIT, type CommandContext, type End } from './command/context.js';
import { inBatches, readBulkLimits } from './transfer/batches.js';
import { BulkCreation } from './transfer/bulk-creation.js';
import type { InputRecord } from './transfer/input-file.js';
import { START } from './transfer/records.js';
import { RESOURCE_KINDS, type Resource, type ResourceKind } from './transfer/resource-kind.js';
import { seedGroups, seedUsers } from './seed-data.js';

const MAX_RESOURCES = 999_999;
const MAX_SEED = 2 ** 32 - 1;
const BATCH_SIZE = 500;

interface SeedOptions extends ConnectionOptions {
  readonly users: number;
  readonly groups: number;
  readonly seed: number;
  readonly dryRun?: boolean;
}

/** Adds `seed`. */
export function addSeed(program: Command, context: CommandContext, end: End): void {
  const command = program
    .command('seed')
    .description(
      'Create users and groups to try things with; the same seed creates the same ones. Needs a provider token.',
    )
    .option('--users <count>', 'number of users', wholeNumber(0, MAX_RESOURCES), 100)
    .option('--groups <count>', 'number of groups', wholeNumber(0, MAX_RESOURCES), 10)
    .option('--seed <number>', 'number that they are generated from', wholeNumber(0, MAX_SEED), 1)
    .option('--dry-run', 'print the users as NDJSON, as `import users` reads them; send nothing');
  addConnectionOptions(command)
    .addHelpText('after', '\nExample:\n  palisade seed --users 1000 --groups 50 --seed 7')
    .action(async (options: SeedOptions) => {
      if (options.dryRun) {
        for (const user of seedUsers(options.seed, options.users)) {
          context.out(`${JSON.stringify(user)}\n`);
        }
      } else {
        await seedDirectory(options, connect('scim-service', 'provider', options, context), context);
      }
      end(EXIT.ok);
    });
}

async function seedDirectory(
  { seed, users, groups }: SeedOptions,
  client: ApiClient<'scim-service'>,
  context: CommandContext,
): Promise<void> {
  await createAll(RESOURCE_KINDS.users, seedUsers(seed, users), client, context);
  const [first] = seedUsers(seed, Math.min(users, 1));
  const prefix = first === undefined ? '' : await prefixOf(String(first['externalId']), client.api);
  const resources = seedGroups(seed, groups, users, (externalId) => `${prefix}${externalId}`);
  await createAll(RESOURCE_KINDS.groups, resources, client, context);
  context.out(`${users} users and ${groups} groups of seed ${seed} exist now\n`);
}

/** The part before the external id in the identifier of every user of this provider. */
async function prefixOf(externalId: string, client: ScimServiceClient): Promise<string> {
  const { id } = dataOf(await client.GET('/scim/v2/Users/{id}', { params: { path: { id: externalId } } }));
  if (!id.endsWith(externalId)) {
    throw new FailureError(`expected an identifier that ends with ${externalId}, found ${id}`);
  }
  return id.slice(0, -externalId.length);
}

async function createAll(
  kind: ResourceKind,
  resources: Iterable<Resource>,
  client: ApiClient,
  context: CommandContext,
): Promise<void> {
  const creation = new BulkCreation(client, kind, context.signal);
  for await (const batch of inBatches(toRecords(resources), await readBulkLimits(client, BATCH_SIZE))) {
    const outcomes = await creation.create(
      batch.records.flatMap(({ resource }) => (resource === undefined ? [] : [resource])),
    );
    const problem = outcomes.find((outcome) => outcome.problem !== undefined)?.problem;
    if (problem !== undefined) {
      throw new FailureError(`${kind.name}: ${problem}`);
    }
  }
}

async function* toRecords(resources: Iterable<Resource>): AsyncGenerator<InputRecord> {
  let number = 0;
  for (const resource of resources) {
    number++;
    yield { number, line: number, end: START, resource };
  }
}
