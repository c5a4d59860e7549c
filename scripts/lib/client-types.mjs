import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTs, { astToString } from 'openapi-typescript';
import { format } from 'prettier';
import { ROOT } from './run.mjs';

export const SERVICES = ['scim-service', 'control-plane'];

/** Where the types of a service are. */
export const clientTypesPath = (service) => `libs/client/src/generated/${service}.ts`;

/** The types of a service's paths, parameters, bodies and answers, and its version, from its committed API document. */
export async function renderClientTypes(service) {
  const source = `docs/openapi/${service}.json`;
  const document = JSON.parse(readFileSync(join(ROOT, source), 'utf8'));
  const nodes = await openapiTs(document, {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
  });
  const header = `/** Generated from ${source} by "npm run docs": do not change it here. */\n\n`;
  const options = JSON.parse(readFileSync(join(ROOT, '.prettierrc.json'), 'utf8'));
  const version = `/** The version of Palisade that has this API. */\nexport const version = '${document.info.version}';\n`;
  return format(`${header}${astToString(nodes)}\n${version}`, { ...options, parser: 'typescript' });
}
