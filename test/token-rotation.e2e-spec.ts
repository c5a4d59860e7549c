import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Palisade } from '../cli/test/support/palisade.js';
import { createScratchDatabase, type ScratchDatabase } from '../libs/storage/test/scratch-database.js';
import { ServiceProcess } from './support/service-process.js';
import { ADMIN_HEADERS, ADMIN_TOKEN, environmentOf } from './support/services-under-test.js';
import { ConstantTraffic, summarize, type Exchange } from './support/traffic/constant-traffic.js';
import { KeepAliveClient, type ClientAnswer, type ClientRequest } from './support/traffic/keep-alive-client.js';

const MINUTE_MS = 60_000;
const LANES = 2;
const TOKENS_PATH = '/api/v1/providers/acme/tokens';

interface IssuedToken {
  readonly id: string;
  readonly secret: string;
}

const listUsers = (token: string): ClientRequest => {
  return { method: 'GET', path: '/scim/v2/Users?count=1', headers: { Authorization: `Bearer ${token}` } };
};
const hasFailed = ({ answer }: Exchange): boolean => answer?.status !== 200;
const isRejected = ({ answer }: Exchange): boolean => answer?.status === 401;
const isWith =
  (token: string) =>
  ({ request }: Exchange): boolean =>
    request.headers['Authorization'] === `Bearer ${token}`;

describe('a token of an identity provider that is rotated while it is used on two replicas', () => {
  let database: ScratchDatabase;
  /** The replica on which tokens are changed. */
  let own: ServiceProcess;
  let other: ServiceProcess;
  /** The tokens that requests are sent with, in turn. */
  let tokens: string[];
  /** To either. */
  let traffic: readonly [ConstantTraffic, ConstantTraffic];

  beforeAll(async () => {
    database = await createScratchDatabase();
    const environment = environmentOf('scim-service', database.url);
    [own, other] = await Promise.all([
      ServiceProcess.spawn('scim-service', environment),
      ServiceProcess.spawn('scim-service', environment),
    ]);
    await Promise.all([own.untilReadiness(200), other.untilReadiness(200)]);
    await administer('POST', '/api/v1/providers', { id: 'acme' });
  }, MINUTE_MS);
  afterAll(async () => {
    await Promise.all([own.end('SIGKILL'), other.end('SIGKILL')]);
    await database.drop();
  });
  beforeEach(() => {
    tokens = [];
  });
  afterEach(() => Promise.all(traffic.map((each) => each.stop())));

  async function administer(method: ClientRequest['method'], path: string, body?: object): Promise<ClientAnswer> {
    const client = new KeepAliveClient(own.origin);
    const request = { method, path, headers: ADMIN_HEADERS, ...(body !== undefined && { body }) };
    const answer = await client.send(request);
    client.close();
    expect(answer.status).toBeLessThan(300);
    return answer;
  }

  async function issue(body: object = {}): Promise<IssuedToken> {
    return JSON.parse((await administer('POST', TOKENS_PATH, body)).text) as IssuedToken;
  }

  async function palisade(...command: readonly string[]): Promise<string> {
    const env = { PALISADE_SCIM_URL: own.origin, PALISADE_TOKEN: ADMIN_TOKEN };
    const { code, out, error } = await Palisade.start(command, env).ended();
    expect([code, error]).toEqual([0, '']);
    return out;
  }

  function requestAccess({ id, secret }: IssuedToken, { origin }: ServiceProcess): Promise<Response> {
    return fetch(`${origin}/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
  }

  async function accessTokenOf(client: IssuedToken, replica: ServiceProcess): Promise<string> {
    const answer = await requestAccess(client, replica);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { readonly access_token: string }).access_token;
  }

  /** On both replicas, with these tokens and those that come to them, until the end of the test. */
  function send(...first: readonly string[]): void {
    tokens = [...first];
    const next = (lane: number, at: number): ClientRequest => listUsers(tokens[(lane + at) % tokens.length] ?? '');
    traffic = [new ConstantTraffic([own.origin], LANES, next), new ConstantTraffic([other.origin], LANES, next)];
  }

  async function expectAllServed(...used: readonly string[]): Promise<void> {
    await Promise.all(traffic.flatMap((each) => used.map((token) => each.untilMore(20, isWith(token)))));
    expect(summarize(traffic.flatMap(({ exchanges }) => exchanges.filter(hasFailed)))).toEqual([]);
  }

  /** On the replica that revoked it: whatever was asked with it since then. */
  async function expectRejected(revoked: string, revokedAt: number): Promise<void> {
    await expectNoneServedSince(traffic[0], revoked, revokedAt);
    const rejection = traffic[0].exchanges.filter(isWith(revoked)).find(isRejected);
    expect(rejection?.answer?.headers['www-authenticate']).toContain('error="invalid_token"');
  }

  /** On the other one: within five seconds, and for good. */
  async function expectRejectedElsewhere(revoked: string): Promise<void> {
    await traffic[1].untilMore(1, (each) => isWith(revoked)(each) && isRejected(each));
    await expectNoneServedSince(traffic[1], revoked, performance.now());
  }

  async function expectNoneServedSince(replica: ConstantTraffic, revoked: string, since: number): Promise<void> {
    await replica.untilMore(20, (each) => isWith(revoked)(each) && each.begunAt > since);
    const after = replica.exchanges.filter(isWith(revoked)).filter(({ begunAt }) => begunAt > since);
    expect(summarize(after.filter((each) => !isRejected(each)))).toEqual([]);
  }

  async function expectAlwaysServed(token: string): Promise<void> {
    await Promise.all(traffic.map((each) => each.untilMore(20, isWith(token))));
    const sent = traffic.flatMap(({ exchanges }) => exchanges.filter(isWith(token)));
    expect(summarize(sent.filter(hasFailed))).toEqual([]);
  }

  it(
    'serves the old and the new one until the old one is revoked, and then only the new one',
    async () => {
      const old = await issue();
      send(old.secret);
      await expectAllServed(old.secret);
      const successor = await issue({ description: 'successor' });
      tokens.push(successor.secret);
      await expectAllServed(old.secret, successor.secret);
      await administer('DELETE', `${TOKENS_PATH}/${old.id}`);
      await expectRejected(old.secret, performance.now());
      await expectRejectedElsewhere(old.secret);
      await expectAlwaysServed(successor.secret);
    },
    MINUTE_MS,
  );

  it(
    'is rotated and revoked by the command line as well',
    async () => {
      const old = await issue();
      send(old.secret);
      await expectAllServed(old.secret);
      const overlap = ['--overlap-seconds', '3600'];
      const printed = await palisade('token', 'rotate', 'acme', old.id, ...overlap, '--json');
      const successor = JSON.parse(printed) as IssuedToken;
      tokens.push(successor.secret);
      await expectAllServed(old.secret, successor.secret);
      await palisade('token', 'revoke', 'acme', old.id, '--yes');
      await expectRejected(old.secret, performance.now());
      await expectAlwaysServed(successor.secret);
    },
    MINUTE_MS,
  );

  it(
    'is rejected by every replica when its overlap is over, without being revoked',
    async () => {
      const old = await issue();
      send(old.secret);
      const rotated = await administer('POST', `${TOKENS_PATH}/${old.id}/rotate`, { overlap_seconds: 0 });
      const successor = JSON.parse(rotated.text) as IssuedToken;
      tokens.push(successor.secret);
      await expectRejected(old.secret, performance.now());
      await expectRejectedElsewhere(old.secret);
      await expectAlwaysServed(successor.secret);
    },
    MINUTE_MS,
  );

  it(
    'may be an OAuth client: both are, with their access tokens, until the old one is revoked',
    async () => {
      const old = await issue({ kind: 'client' });
      const oldAccess = await accessTokenOf(old, own);
      send(oldAccess);
      await expectAllServed(oldAccess);
      const rotated = await administer('POST', `${TOKENS_PATH}/${old.id}/rotate`, { overlap_seconds: 3600 });
      const successor = JSON.parse(rotated.text) as IssuedToken;
      expect(successor.id).not.toBe(old.id);
      const newAccess = await accessTokenOf(successor, other);
      tokens.push(newAccess);
      await expectAllServed(oldAccess, newAccess);
      expect(await accessTokenOf(old, other)).not.toBe(oldAccess);
      await administer('DELETE', `${TOKENS_PATH}/${old.id}`);
      const revokedAt = performance.now();
      const rejected = await requestAccess(old, own);
      expect([rejected.status, await rejected.json()]).toMatchObject([401, { error: 'invalid_client' }]);
      await expectRejected(oldAccess, revokedAt);
      await expectAlwaysServed(newAccess);
    },
    MINUTE_MS,
  );
});
