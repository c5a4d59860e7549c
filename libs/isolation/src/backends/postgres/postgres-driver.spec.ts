import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { Client, type ClientConfig } from 'pg';
import { PostgresDriver, type PostgresDriverOptions } from './postgres-driver.js';

const ACME = parseNamespaceId('acme');

/** The configuration that a driver makes its client with. */
async function configOf(config: PostgresDriverOptions['config']): Promise<ClientConfig | undefined> {
  let made: ClientConfig | undefined;
  const createClient = (given: ClientConfig) => {
    made = given;
    // Nobody listens there.
    return new Client({ host: '127.0.0.1', port: 1 });
  };
  const driver = new PostgresDriver({ config, createClient });
  await driver.connect(ACME, new AbortController().signal).catch(() => {});
  return made;
}

describe(PostgresDriver.name, () => {
  it('passes the configuration on as it is, TLS and client certificates included', async () => {
    const ssl = { ca: 'ca', cert: 'certificate', key: 'key', rejectUnauthorized: true };
    const config = { host: 'db', ssl, keepAlive: false };
    expect(await configOf(config)).toMatchObject(config);
  });

  it('keeps connections alive, and limits nothing unless tenants work or it is told to', async () => {
    expect(await configOf({ host: 'db' })).toEqual({
      host: 'db',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
  });

  it('asks for the configuration of each namespace', async () => {
    expect(await configOf(({ namespace }) => ({ database: `db_${namespace}` }))).toMatchObject({
      database: 'db_acme',
    });
  });

  it('makes no client when the attempt is aborted already', async () => {
    const createClient = (): Client => {
      throw new Error('a client was made');
    };
    const driver = new PostgresDriver({ config: {}, createClient });
    await expect(driver.connect(ACME, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
