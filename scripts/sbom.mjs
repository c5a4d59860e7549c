/** Writes dist/sbom.json: every package in production, as CycloneDX. From the lockfile, so the same on every platform. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, output } from './lib/run.mjs';

const { name } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const text = await output('npm', [
  'sbom',
  '--sbom-format=cyclonedx',
  '--sbom-type=application',
  '--omit=dev',
  '--package-lock-only',
]);
const bom = JSON.parse(text);
// npm would name the component after the directory.
bom.metadata.component.name = name;
mkdirSync(join(ROOT, 'dist'), { recursive: true });
writeFileSync(join(ROOT, 'dist/sbom.json'), `${JSON.stringify(bom, undefined, 2)}\n`);
console.log(`dist/sbom.json: ${bom.components.length} packages`);
