/** What `palisade apply` knows of the objects that it manages, taken from the API documents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

const KINDS = {
  provider: ['scim-service', 'CreateProviderBody', 'ProviderResponse'],
  tenant: ['control-plane', 'RegisterTenantBody', 'TenantResponse'],
  proxy: ['control-plane', 'RegisterProxyBody', 'ProxyResponse'],
  binding: ['scim-service', 'AddBindingBody', 'ListedBindingResponse'],
};

const SHOWN_ONLY = new Set(['description', 'example', 'examples', 'title', 'format', 'additionalProperties']);

export const MANIFEST_SCHEMAS_PATH = 'cli/src/manifests/generated-schemas.ts';

/** A module with the schema of each kind, and the fields that only answers have. */
export function renderManifestSchemas() {
  const entries = Object.entries(KINDS).map(([kind, [service, body, answer]]) => {
    const { schemas } = JSON.parse(readFileSync(join(ROOT, `docs/openapi/${service}.json`), 'utf8')).components;
    const schema = inline(schemas[body], schemas);
    const readOnly = Object.keys(schemas[answer].properties).filter((name) => !(name in schema.properties));
    return [kind, { schema, readOnly }];
  });
  return `// Made from docs/openapi by "npm run docs".\nexport const MANIFEST_SCHEMAS = ${JSON.stringify(Object.fromEntries(entries))} as const;\n`;
}

function inline(value, schemas) {
  if (Array.isArray(value)) {
    return value.map((item) => inline(item, schemas));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if ('$ref' in value) {
    return inline(schemas[value.$ref.split('/').at(-1)], schemas);
  }
  if (value.allOf?.length === 1) {
    return inline(value.allOf[0], schemas);
  }
  const { properties, ...rest } = value;
  const kept = Object.entries(rest).filter(([name]) => !SHOWN_ONLY.has(name));
  const inlined = Object.fromEntries(kept.map(([name, item]) => [name, inline(item, schemas)]));
  const fields = Object.entries(properties ?? {}).map(([name, item]) => [name, inline(item, schemas)]);
  return properties === undefined ? inlined : { ...inlined, properties: Object.fromEntries(fields) };
}
