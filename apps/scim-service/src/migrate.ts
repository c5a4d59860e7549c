import { ConfigurationError } from '@palisade/platform';
import { DomainError } from '@palisade/domain';
import { openStore } from '@palisade/storage';
import { loadStoreUrl } from './config/scim-service.config.js';

/** Brings the schema of the configured store up to date and ends; the service does the same at its start. */
async function migrate(): Promise<void> {
  const store = await openStore(loadStoreUrl(), { applicationName: 'scim-service migrate' });
  try {
    await store.migrate();
    await store.check();
  } finally {
    await store.close();
  }
}

/** Resolves to the exit code. */
async function run(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    process.stderr.write(
      'Usage: migrate, without arguments. SVC_STORE_URL names the store, as it does for the service.\n',
    );
    return 2;
  }
  try {
    await migrate();
    process.stdout.write('the schema is up to date\n');
    return 0;
  } catch (error) {
    const isExplained = error instanceof ConfigurationError || error instanceof DomainError;
    process.stderr.write(`${isExplained ? error.message : String(error)}\n`);
    return 1;
  }
}

process.exitCode = await run(process.argv.slice(2));
