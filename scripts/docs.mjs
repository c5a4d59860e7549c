/** Makes the generated parts of docs/ anew: the tables of docs/configuration.md, and docs/compliance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from './lib/build.mjs';
import { ROOT, run } from './lib/run.mjs';

const CONFIGURATION = join(ROOT, 'docs/configuration.md');

/** Replaces what stands between the markers of `name`. */
function replaceTable(document, name, table) {
  const [begin, end] = [`<!-- variables of ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) {
    throw new Error(`docs/configuration.md: expected the markers ${begin} and ${end}`);
  }
  return `${document.slice(0, from + begin.length)}\n${table}\n${document.slice(to)}`;
}

async function renderConfiguration() {
  const { renderVariables } = await import('../dist/libs/platform/src/config/render-variables.js');
  const { SCIM_SERVICE_VARIABLES } = await import('../dist/apps/scim-service/src/config/scim-service.variables.js');
  const { CONTROL_PLANE_VARIABLES } = await import('../dist/apps/control-plane/src/config/control-plane.variables.js');
  const tables = { 'scim-service': SCIM_SERVICE_VARIABLES, 'control-plane': CONTROL_PLANE_VARIABLES };
  const rendered = Object.entries(tables).reduce(
    (document, [name, variables]) => replaceTable(document, name, renderVariables(variables)),
    readFileSync(CONFIGURATION, 'utf8'),
  );
  writeFileSync(CONFIGURATION, rendered);
}

if (await build()) {
  await renderConfiguration();
  process.exitCode = await run('node', ['scripts/compliance.mjs']);
} else {
  process.exitCode = 1;
}
