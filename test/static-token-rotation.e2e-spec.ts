import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../libs/storage/test/scratch-database.js';
import { ServiceProcess, type ServiceName } from './support/service-process.js';
import { ADMIN_HEADERS, SCIM_TOKEN, environmentOf } from './support/services-under-test.js';
import { ConstantTraffic, summarize } from './support/traffic/constant-traffic.js';
import { KeepAliveClient, type ClientRequest } from './support/traffic/keep-alive-client.js';

const MINUTE_MS = 60_000;
const LANES = 2;

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

type Environment = Readonly<Record<string, string>>;

/** One replica after the other, and requests that never stop; what docs/operations.md calls a rolling restart. */
class Deployment implements AsyncDisposable {
  /** The token that requests are sent with. */
  token = '';
  private readonly origins: string[] = [];
  private running: ServiceProcess | undefined;
  private traffic: ConstantTraffic | undefined;

  private constructor(
    private readonly path: string,
    private readonly next: ServiceProcess[],
    private readonly owned: AsyncDisposableStack,
  ) {}

  /** All replicas begin to start, since that is what takes long; none is used before it is its turn. */
  static async start(name: ServiceName, path: string, ...environments: readonly Environment[]): Promise<Deployment> {
    await using stack = new AsyncDisposableStack();
    const next: ServiceProcess[] = [];
    for (const environment of environments) {
      next.push(stack.use(await ServiceProcess.spawn(name, environment)));
    }
    return new Deployment(path, next, stack.move());
  }

  /** The next one takes the place of what runs. */
  async roll(): Promise<ServiceProcess> {
    const [before, started] = [this.running, this.next.shift()];
    if (started === undefined) {
      throw new RangeError('all replicas have had their turn');
    }
    this.running = started;
    await started.untilReadiness(200);
    this.origins.push(started.origin);
    if (before !== undefined) {
      expect(await before.end('SIGTERM')).toBe(0);
      this.origins.shift();
    }
    return started;
  }

  /** From now on; each client has had answers when this resolves. */
  async use(token: string): Promise<void> {
    this.token = token;
    const next = (): ClientRequest => {
      return { method: 'GET', path: this.path, headers: { Authorization: `Bearer ${this.token}` } };
    };
    this.traffic ??= new ConstantTraffic(this.origins, LANES, next);
    const isWithIt = ({ request }: { readonly request: ClientRequest }): boolean =>
      request.headers['Authorization'] === `Bearer ${token}`;
    await this.traffic.untilMore(20, isWithIt);
  }

  /** What was not answered with 200 until now. */
  get failures(): readonly string[] {
    return summarize(this.traffic?.exchanges.filter(({ answer }) => answer?.status !== 200) ?? []);
  }

  async statusWith(token: string): Promise<number> {
    const client = new KeepAliveClient(this.running?.origin ?? '');
    const request = { method: 'GET', path: this.path, headers: { Authorization: `Bearer ${token}` } } as const;
    const { status } = await client.send(request);
    client.close();
    return status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.traffic?.stop();
    await this.owned.disposeAsync();
  }
}

describe('a static token that is rotated while it is used', () => {
  let database: ScratchDatabase;
  beforeEach(async () => {
    database = await createScratchDatabase();
  });
  afterEach(() => database.drop());

  it.each([
    ['control-plane', '/api/v1/tenants'],
    ['scim-service', '/api/v1/providers'],
  ] as const)(
    'leaves no admin of %s without access, with a digest of each for a time',
    async (name, path) => {
      const environmentWith = (SVC_ADMIN_TOKEN_DIGESTS: string): Record<string, string> => {
        return { ...environmentOf(name, database.url), SVC_ADMIN_TOKEN_DIGESTS };
      };
      const pair = (id: string): string => `${id}:${digestOf(`${id}-admin-token`)}:read`;
      const [old, both, successor] = [
        pair('alice-2026'),
        `${pair('alice-2026')},${pair('alice-2027')}`,
        pair('alice-2027'),
      ];
      const environments = [old, both, successor].map(environmentWith);
      await using deployment = await Deployment.start(name, path, ...environments);
      await deployment.roll();
      await deployment.use('alice-2026-admin-token');
      expect(await deployment.statusWith('alice-2027-admin-token')).toBe(401);
      await deployment.roll();
      await deployment.use('alice-2026-admin-token');
      await deployment.use('alice-2027-admin-token');
      await deployment.roll();
      await deployment.use('alice-2027-admin-token');
      expect(deployment.failures).toEqual([]);
      expect(await deployment.statusWith('alice-2026-admin-token')).toBe(401);
    },
    MINUTE_MS,
  );

  it(
    'leaves no identity provider without access, which gets a stored token first',
    async () => {
      const environment = environmentOf('scim-service', database.url);
      const environments = [environment, { ...environment, SVC_SCIM_BEARER_TOKEN: 'nobody-knows-this-one' }];
      await using deployment = await Deployment.start('scim-service', '/scim/v2/Users?count=1', ...environments);
      const { origin } = await deployment.roll();
      await deployment.use(SCIM_TOKEN);
      const answer = await fetch(`${origin}/api/v1/providers/default/tokens`, {
        method: 'POST',
        headers: ADMIN_HEADERS,
        body: '{"description":"2027"}',
      });
      const { secret } = (await answer.json()) as { readonly secret: string };
      await deployment.use(secret);
      await deployment.roll();
      await deployment.use(secret);
      expect(deployment.failures).toEqual([]);
      expect(await deployment.statusWith(SCIM_TOKEN)).toBe(401);
    },
    MINUTE_MS,
  );
});
