/**
 * Fails when a dependency in production has an advisory of severity high or critical. Ends with 75 when the registry cannot
 * be asked: then nothing is known, which is neither good nor bad.
 */
import process from 'node:process';
import { readAdvisories } from './lib/advisories.mjs';
import { NOT_ASKED, output } from './lib/run.mjs';

const { found, unanswered } = readAdvisories(
  await output('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000']),
);
if (unanswered !== undefined) {
  console.error(`the registry could not be asked for advisories: ${unanswered}`);
  process.exitCode = NOT_ASKED;
} else if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
