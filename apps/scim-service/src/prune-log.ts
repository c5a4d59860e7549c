import { parseArgs } from 'node:util';
import { ConfigurationError } from '@palisade/platform';
import { DomainError, removeOldRecords } from '@palisade/domain';
import { openStore } from '@palisade/storage';
import { loadStoreUrl } from './config/scim-service.config.js';

const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;
const USAGE = `Usage: prune-log --days <1 to ${MAX_DAYS}>. SVC_STORE_URL names the store, as it does for the service.\n`;

/** Removes older records, as far as every consumer of the log has read, and returns how many. */
async function prune(days: number): Promise<number> {
  const store = await openStore(loadStoreUrl(), { applicationName: 'scim-service prune-log' });
  try {
    await store.check();
    const now = new Date();
    const before = new Date(now.getTime() - days * DAY_MS);
    const through = await store.log.readThrough();
    return await removeOldRecords(store.log, { before, through, actor: 'prune-log', now });
  } finally {
    await store.close();
  }
}

function readDays(args: readonly string[]): number | undefined {
  try {
    const { days = '' } = parseArgs({ args: [...args], options: { days: { type: 'string' } } }).values;
    const count = Number(days);
    return /^\d{1,5}$/.test(days) && count >= 1 && count <= MAX_DAYS ? count : undefined;
  } catch (error) {
    if (error instanceof TypeError) {
      return undefined;
    }
    throw error;
  }
}

/** Resolves to the exit code. */
async function run(args: readonly string[]): Promise<number> {
  const days = readDays(args);
  if (days === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  try {
    process.stdout.write(`${await prune(days)} records were removed\n`);
    return 0;
  } catch (error) {
    const isExplained = error instanceof ConfigurationError || error instanceof DomainError;
    process.stderr.write(`${isExplained ? error.message : String(error)}\n`);
    return 1;
  }
}

process.exitCode = await run(process.argv.slice(2));
