/**
 * Fails when a production dependency has an advisory of severity high or critical. Exits with 75 when the registry is
 * unreachable: then the result is unknown.
 */
import process from 'node:process';
import { readAdvisories } from './lib/advisories.mjs';
import { NOT_ASKED, output } from './lib/run.mjs';

const { found, unanswered } = readAdvisories(
  await output('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000']),
);
if (unanswered !== undefined) {
  console.error(`the registry did not answer the request for advisories: ${unanswered}`);
  process.exitCode = NOT_ASKED;
} else if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
