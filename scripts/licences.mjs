/** Fails when production dependencies have licences that are not on the list, and prints them. */
import process from 'node:process';
import { ALLOWED_LICENCES, isAllowedLicence, productionLicences } from './lib/licences.mjs';
import { ROOT } from './lib/run.mjs';

const packages = productionLicences(ROOT);
const rejected = packages.filter(({ licence }) => !isAllowedLicence(licence));
for (const { name, version, licence } of rejected) {
  console.error(`${name} ${version}: ${licence ?? 'no licence given'}`);
}
if (packages.length === 0 || rejected.length > 0) {
  console.error(`${rejected.length} of ${packages.length} packages; allowed: ${[...ALLOWED_LICENCES].join(', ')}`);
  process.exitCode = 1;
}
