/**
 * Regenerates the generated parts of docs/: the tables of docs/configuration.md and of docs/control-plane/, the schema of
 * the control plane's configuration, the API documents in docs/openapi/ and the client types generated from them, the
 * commands in docs/cli.md, the public API of each package in docs/api/, and docs/compliance.md.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { renderApiReports } from './lib/api-reports.mjs';
import { PACKAGES, build } from './lib/build.mjs';
import { SERVICES, clientTypesPath, renderClientTypes } from './lib/client-types.mjs';
import { MANIFEST_SCHEMAS_PATH, renderManifestSchemas } from './lib/manifest-schemas.mjs';
import { ROOT, run } from './lib/run.mjs';

/** Replaces the text between the markers of `what` and `name`. */
function replaceTable(path, what, name, table) {
  const document = readFileSync(join(ROOT, path), 'utf8');
  const [begin, end] = [`<!-- ${what} of ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) {
    throw new Error(`${path}: expected the markers ${begin} and ${end}`);
  }
  writeFileSync(join(ROOT, path), `${document.slice(0, from + begin.length)}\n${table}\n${document.slice(to)}`);
}

async function renderConfiguration() {
  const { renderVariables } = await import('../dist/libs/platform/src/config/render-variables.js');
  const { SCIM_SERVICE_VARIABLES } = await import('../dist/apps/scim-service/src/config/scim-service.variables.js');
  const { CONTROL_PLANE_VARIABLES } = await import('../dist/apps/control-plane/src/config/control-plane.variables.js');
  replaceTable('docs/configuration.md', 'variables', 'scim-service', renderVariables(SCIM_SERVICE_VARIABLES));
  replaceTable('docs/configuration.md', 'variables', 'control-plane', renderVariables(CONTROL_PLANE_VARIABLES));
}

async function renderControlPlaneFile() {
  const config = '../dist/apps/control-plane/src/config';
  const { configurationSchema, renderReference } = await import(`${config}/reference.js`);
  const { renderFrameworks } = await import(`${config}/frameworks.js`);
  const schema = 'apps/control-plane/control-plane.schema.json';
  replaceTable('docs/control-plane/configuration.md', 'keys', 'control-plane', `\n${renderReference()}\n`);
  replaceTable('docs/control-plane/compliance.md', 'frameworks', 'compliance', renderFrameworks());
  writeFileSync(join(ROOT, schema), JSON.stringify(configurationSchema()));
  await run('prettier', ['--write', '--log-level', 'warn', schema]);
}

/** The API documents, as the services serve them with their default configuration. */
async function renderApiDocuments() {
  const { MemoryStore } = await import('../dist/libs/storage/src/index.js');
  const { JsonLogger } = await import('../dist/libs/platform/src/index.js');
  const scim = await import('../dist/apps/scim-service/src/app.setup.js');
  const { createApiDocument: describeScim } = await import('../dist/apps/scim-service/src/api-document.js');
  const control = await import('../dist/apps/control-plane/src/app.setup.js');
  const { createApiDocument: describeControl } = await import('../dist/apps/control-plane/src/api-document.js');
  const options = () => ({
    config: { mayLead: false },
    store: new MemoryStore(),
    logger: new JsonLogger({ service: 'docs', level: 'fatal' }),
  });
  const directory = join(ROOT, 'docs/openapi');
  mkdirSync(directory, { recursive: true });
  const write = async (name, app, describe) => {
    await app.init();
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(describe(app)));
    await app.close();
  };
  await write('scim-service', await scim.createScimServiceApp(options()), (app) =>
    describeScim(app, { isScimEnabled: true }),
  );
  await write('control-plane', await control.createControlPlaneApp(options()), describeControl);
  await run('prettier', ['--write', '--log-level', 'warn', 'docs/openapi']);
}

async function renderClient() {
  for (const service of SERVICES) {
    writeFileSync(join(ROOT, clientTypesPath(service)), await renderClientTypes(service));
  }
}

async function renderManifests() {
  writeFileSync(join(ROOT, MANIFEST_SCHEMAS_PATH), renderManifestSchemas());
  await run('prettier', ['--write', '--log-level', 'warn', MANIFEST_SCHEMAS_PATH]);
}

async function renderCommands() {
  const { renderCommandReference } = await import('../dist/cli/src/render-reference.js');
  replaceTable('docs/cli.md', 'commands', 'palisade', `\n${renderCommandReference()}\n`);
  await run('prettier', ['--write', '--log-level', 'warn', 'docs/cli.md']);
}

function writeApiReports() {
  mkdirSync(join(ROOT, 'docs/api'), { recursive: true });
  for (const { path, text } of renderApiReports()) {
    writeFileSync(join(ROOT, path), text);
  }
}

if (await build()) {
  await renderConfiguration();
  await renderControlPlaneFile();
  await renderApiDocuments();
  await renderClient();
  await renderManifests();
  await renderCommands();
  // The types of the client, which were made just now, are among them.
  const areBuilt = await build([PACKAGES]);
  if (areBuilt) {
    writeApiReports();
  }
  process.exitCode = areBuilt ? await run('node', ['scripts/compliance.mjs']) : 1;
} else {
  process.exitCode = 1;
}
