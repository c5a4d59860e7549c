import type { Connection } from '../connection/database.js';

const PURPOSE = 'access-token';

/** The key that is kept: the first one that any caller proposed. */
export async function getOrCreateSigningKey(connection: Connection, propose: () => Promise<string>): Promise<string> {
  const key = await findSigningKey(connection);
  if (key !== undefined) {
    return key;
  }
  const jwk = await propose();
  await connection
    .insertInto('signing_keys')
    .values({ purpose: PURPOSE, jwk })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findSigningKey(connection)) ?? jwk;
}

async function findSigningKey(connection: Connection): Promise<string | undefined> {
  const query = connection.selectFrom('signing_keys').select('jwk').where('purpose', '=', PURPOSE);
  return (await query.executeTakeFirst())?.jwk;
}
