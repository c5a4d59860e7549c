/** Stands for the number in what is cloned; lower case, so that folding leaves it alone. */
export const NUMBER_MARK = 'qqqqqqqq';

const NUMBER_DIGITS = NUMBER_MARK.length;

/**
 * Multiplies rows that a service has written itself, so that what is stored is exactly what it would have written, many
 * times faster than by requests. Every occurrence of {@link NUMBER_MARK} becomes a number; columns named in `numbered`
 * (keys and references with random content) get the number appended.
 *
 * @param {import('pg').Client} client
 * @param {object} options
 * @param {string} options.table
 * @param {string} options.where selects the row to multiply
 * @param {number} options.count numbers go from 0 to this, exclusively
 * @param {readonly string[]} [options.numbered]
 */
export async function cloneRows(client, { table, where, count, numbered = [] }) {
  const columns = await readColumns(client, table);
  const names = columns.map(({ name }) => client.escapeIdentifier(name));
  const values = columns.map(({ name, type }) => {
    const text = `row.${client.escapeIdentifier(name)}::text`;
    const appended = numbered.includes(name) ? `${text} || '-' || number` : text;
    return `replace(${appended}, '${NUMBER_MARK}', number)::${type}`;
  });
  await client.query(
    `insert into ${client.escapeIdentifier(table)} (${names.join(', ')})
     select ${values.join(', ')}
     from (select * from ${client.escapeIdentifier(table)} where ${where}) as row,
       lateral (select lpad(i::text, ${NUMBER_DIGITS}, '0') as number from generate_series(0, $1 - 1) as i) as numbers
     order by number`,
    [count],
  );
}

/**
 * Runs work without the secondary indexes of a table and builds them again afterwards.
 *
 * @param {import('pg').Client} client
 * @param {string} table quoted where it needs to be
 * @param {() => Promise<void>} work
 */
export async function withoutIndexes(client, table, work) {
  const { rows } = await client.query(
    `select c.oid::regclass::text as name, pg_get_indexdef(c.oid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = $1::regclass and not exists (select from pg_constraint where conindid = c.oid)`,
    [table],
  );
  for (const { name } of rows) {
    await client.query(`drop index ${name}`);
  }
  await work();
  await client.query(`set maintenance_work_mem = '512MB'`);
  for (const { definition } of rows) {
    await client.query(definition);
  }
}

/** Those that an insert can name. @param {import('pg').Client} client @param {string} table */
async function readColumns(client, table) {
  const { rows } = await client.query(
    `select attname as name, format_type(atttypid, atttypmod) as type
     from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
     order by attnum`,
    [client.escapeIdentifier(table)],
  );
  return rows;
}
