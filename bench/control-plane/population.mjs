import { withClient } from '../lib/database.mjs';

/** The tenant that others are made from; each occurrence becomes a number. */
export const SEED = 'seed-qqqqqqqq';
const MARK = 'qqqqqqqq';

/** Namespace and id of a tenant that {@link cloneTenants} has made. @param {number} number */
export function clonedName(number) {
  return SEED.replace(MARK, String(number).padStart(MARK.length, '0'));
}

/**
 * Multiplies the tenant {@link SEED}, which a service has registered, so that what is stored is what it would have written
 * itself. No service may run meanwhile.
 *
 * @param {string} url of the database
 * @param {number} from the first number
 * @param {number} to the last one but one
 */
export async function cloneTenants(url, from, to) {
  const numbers = `generate_series($1::int, $2::int - 1) as i, lateral (select lpad(i::text, ${MARK.length}, '0') as number) as n`;
  const renamed = (/** @type {string} */ column) => `'${column}', replace(seed.${column}, '${MARK}', number)`;
  await withClient(url, async (client) => {
    await client.query('begin');
    await client.query(
      `insert into tenants
       select (jsonb_populate_record(seed, jsonb_build_object(
         ${renamed('id')}, 'revision', registry.revision + 1 + i - $1::int,
         'namespace_patterns', jsonb_build_array(replace(seed.namespace_patterns[1], '${MARK}', number))))).*
       from tenants as seed, registry, ${numbers} where seed.id = '${SEED}'`,
      [from, to],
    );
    await client.query(
      `insert into tenant_patterns
       select (jsonb_populate_record(seed, jsonb_build_object(
         ${['literal_prefix', 'pattern', 'tenant_id'].map(renamed).join(', ')}))).*
       from tenant_patterns as seed, ${numbers} where seed.tenant_id = '${SEED}'`,
      [from, to],
    );
    await client.query('update registry set revision = revision + $2::int - $1::int', [from, to]);
    await client.query('commit');
    await client.query('vacuum analyze tenants, tenant_patterns');
  });
}
