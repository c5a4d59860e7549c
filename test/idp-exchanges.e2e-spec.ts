import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dialect, JsonObject } from '@palisade/domain';
import request from 'supertest';
import { ScimApp } from './support/scim-app.js';
import type { ScimClient } from './support/scim-client.js';
import { describeOnEveryStore } from './support/stores.js';

/** One request that an identity provider makes and the answer that it needs. `{{name}}` stands for a captured value. */
interface Exchange {
  readonly request: { method: string; path: string; headers?: Record<string, string>; body?: JsonObject };
  readonly response: { status: number; headers?: Record<string, string>; body?: JsonObject; absent?: string[] };
  /** Names for properties of the answer, for later exchanges. */
  readonly capture?: Record<string, string>;
}

interface Recording {
  readonly title: string;
  readonly exchanges: readonly Exchange[];
}

const FOLDER = join(import.meta.dirname, 'fixtures', 'idp');
/** A folder per identity provider; its name is the dialect. */
const DIALECTS: readonly Dialect[] = ['entra', 'okta'];

describeOnEveryStore('identity providers', (openStore) => {
  let app: ScimApp;

  beforeAll(async () => {
    app = await ScimApp.start(await openStore());
  });

  afterAll(() => app.close());

  describe.each(DIALECTS)('%s', (dialect) => {
    const files = readdirSync(join(FOLDER, dialect)).toSorted();
    const recordings = files.map((file) => {
      const recording = JSON.parse(readFileSync(join(FOLDER, dialect, file), 'utf8')) as Recording;
      return [recording.title, recording] as const;
    });

    it.each(recordings)('%s', async (_title, { exchanges }) => {
      const client = await app.connect({ dialect });
      const captured = new Map<string, string>([['provider', client.provider]]);
      for (const exchange of exchanges) {
        const { response, expected } = await replay(client, exchange, captured);
        expect(response).toMatchObject(expected);
      }
    });
  });
});

/** Sends the request; gives the answer and what it must match. */
async function replay(client: ScimClient, exchange: Exchange, captured: Map<string, string>) {
  const { request: sent, response: wanted } = substitute(exchange, captured);
  const method = sent.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  const unsent = request(client.origin)[method](encodeURI(`/scim/v2${sent.path}`));
  const test = unsent.set({
    Authorization: `Bearer ${client.token}`,
    'Content-Type': 'application/scim+json',
    ...sent.headers,
  });
  const { status, headers, body } = await (sent.body === undefined ? test : test.send(JSON.stringify(sent.body)));
  for (const [name, property] of Object.entries(exchange.capture ?? {})) {
    captured.set(name, String(body[property]));
  }
  const where = `${sent.method} ${sent.path}`;
  const absent = (wanted.absent ?? []).filter((name) => Object.hasOwn(body, name));
  return {
    response: { where, status, headers, body, absent },
    expected: { where, status: wanted.status, headers: wanted.headers ?? {}, body: wanted.body ?? {}, absent: [] },
  };
}

function substitute(exchange: Exchange, captured: ReadonlyMap<string, string>): Exchange {
  const text = JSON.stringify(exchange).replaceAll(
    /\{\{(\w+)\}\}/g,
    (whole, name: string) => captured.get(name) ?? whole,
  );
  return JSON.parse(text) as Exchange;
}
