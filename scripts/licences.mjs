/** Fails when production dependencies have licences that are not on the list, and prints them. */
import process from 'node:process';
import { ALLOWED_LICENCES, isAllowedLicence, productionLicences } from './lib/licences.mjs';
import { ROOT } from './lib/run.mjs';

const packages = productionLicences(ROOT);
const refused = packages.filter(({ licence }) => !isAllowedLicence(licence));
for (const { name, version, licence } of refused) {
  console.error(`${name} ${version}: ${licence ?? 'no licence given'}`);
}
if (packages.length === 0 || refused.length > 0) {
  console.error(`${refused.length} of ${packages.length} packages; allowed: ${[...ALLOWED_LICENCES].join(', ')}`);
  process.exitCode = 1;
}
