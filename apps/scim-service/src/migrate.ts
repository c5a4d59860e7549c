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

try {
  await migrate();
  process.stdout.write('the schema is up to date\n');
} catch (error) {
  const isExplained = error instanceof ConfigurationError || error instanceof DomainError;
  process.stderr.write(`${isExplained ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
