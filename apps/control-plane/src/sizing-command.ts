import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { MAX_SIZED_TENANTS, sizeFor } from './pools/size.js';
import { toSizingResponse } from './pools/sizing.dto.js';

const MISUSED = 2;

const program = new Command('sizing')
  .description('How many proxies and connections a number of tenants needs, as JSON.')
  .argument('<tenants>', `1 to ${MAX_SIZED_TENANTS}`, readTenants)
  .exitOverride()
  .action((tenants: number) => {
    process.stdout.write(`${JSON.stringify(toSizingResponse(sizeFor(tenants)), undefined, 2)}\n`);
  });

function readTenants(text: string): number {
  const tenants = Number(text);
  if (!/^\d+$/.test(text) || tenants < 1 || tenants > MAX_SIZED_TENANTS) {
    throw new InvalidArgumentError(`expected a whole number from 1 to ${MAX_SIZED_TENANTS}`);
  }
  return tenants;
}

try {
  program.parse();
} catch (error) {
  if (!(error instanceof CommanderError)) {
    throw error;
  }
  process.exitCode = error.exitCode === 0 ? 0 : MISUSED;
}
