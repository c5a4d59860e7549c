import request from 'supertest';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { LoadBalancerVersion } from '@palisade/domain';
import { RouteAccessOf, type AuthenticatedRequest } from '@palisade/guards';
import { JsonLogger, PlatformModule, encodeCursor } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { setupApp } from '../src/app.setup.js';
import { Leadership } from '../src/leadership/leadership.js';
import { LoadBalancerController } from '../src/load-balancer/load-balancer.controller.js';
import { LoadBalancerService } from '../src/load-balancer/load-balancer.service.js';
import type { Registry } from '../src/routing/table/registry.js';
import { RoutingTable } from '../src/routing/table/routing-table.js';
import { TWO_POOLS, settingsOf } from './support/control-app.js';
import { routingSettings } from './support/routing-settings.js';
import {
  LeaderUnavailableError,
  LoadBalancerNotConfiguredError,
  RejectedStateError,
} from '../src/load-balancer/load-balancer.errors.js';
import type { LoadBalancer, LoadBalancerStatus } from '../src/load-balancer/load-balancer.js';
import type { ChangePreview } from '../src/load-balancer/change-preview.js';

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const VERSION: LoadBalancerVersion = {
  id: '0199a3c4-7d9f-7000-8000-3c5200000000',
  revision: 42,
  epoch: 7,
  hash: HASH,
  type: 'haproxy',
  method: 'reload',
  result: 'applied',
  actor: 'ann@example.com',
  at: new Date('2026-11-20T08:30:00Z'),
  durationMs: 180,
};
const RESPONSE = {
  id: VERSION.id,
  version: 42,
  epoch: 7,
  hash: HASH,
  type: 'haproxy',
  changed: true,
  method: 'reload',
  result: 'applied',
  actor: 'ann@example.com',
  at: '2026-11-20T08:30:00.000Z',
  duration_ms: 180,
};

/** What the service works with: it answers what the test wants, and notes what it was asked. */
class FakeSurroundings {
  answer: unknown = VERSION;
  readonly asked: unknown[] = [];
  private readonly store = new MemoryStore();

  createService(): LoadBalancerService {
    const { operations, leases } = this.store;
    jest.spyOn(operations, 'requestReload').mockImplementation(async ({ actor }) => void this.asked.push(actor));
    jest.spyOn(operations, 'findReloadAnswer').mockImplementation(async () => this.take<LoadBalancerVersion>());
    jest.spyOn(operations, 'listVersions').mockImplementation(async (page) => {
      this.asked.push(page);
      return this.take<LoadBalancerVersion[]>();
    });
    const leadership = new Leadership([leases], { name: 'leader', holder: 'a', ttlMs: 5000, mayLead: true });
    jest.spyOn(leadership, 'isLeader', 'get').mockReturnValue(true);
    const table = new RoutingTable(routingSettings());
    const registry = { current: async () => table } as unknown as Registry;
    const loadBalancer = {
      preview: async () => this.take<ChangePreview>(),
      status: () => this.take<LoadBalancerStatus>(),
    } as unknown as LoadBalancer;
    return new LoadBalancerService(this.store, leadership, registry, settingsOf(TWO_POOLS), loadBalancer);
  }

  private take<T>(): T {
    if (this.answer instanceof Error) {
      throw this.answer;
    }
    return this.answer as T;
  }
}

/** Everybody is an admin. */
class OpenDoor implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const incoming = context.switchToHttp().getRequest<AuthenticatedRequest>();
    incoming.principal = { kind: 'admin', actor: 'ann@example.com', scopes: ['admin'], namespaces: '*' };
    return true;
  }
}

describe(LoadBalancerController.name, () => {
  let app: NestExpressApplication;
  let control: FakeSurroundings;
  beforeEach(async () => {
    control = new FakeSurroundings();
    const platform = PlatformModule.forRoot({ readiness: {}, shutdownDelayMs: 0, shutdownGraceMs: 0 });
    const module = await Test.createTestingModule({
      imports: [platform],
      controllers: [LoadBalancerController],
      providers: [
        { provide: APP_GUARD, useClass: OpenDoor },
        { provide: LoadBalancerService, useValue: control.createService() },
      ],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>({ logger: false, bodyParser: false });
    setupApp(app, new JsonLogger({ service: 'test', level: 'fatal' }));
    await app.listen(0, '127.0.0.1');
  });
  afterEach(() => app.close());

  const get = (path: string) => request(app.getHttpServer()).get(`/api/v1/loadbalancer/${path}`);
  const reload = () => request(app.getHttpServer()).post('/api/v1/loadbalancer/reload');

  it('reloads on behalf of the caller, and tells the version', async () => {
    const { body } = await reload().expect(200);
    expect(body).toEqual(RESPONSE);
    expect(control.asked).toEqual(['ann@example.com']);
  });

  it('tells that nothing has changed', async () => {
    control.answer = { ...VERSION, method: 'none', result: 'unchanged' };
    const { body } = await reload().expect(200);
    expect(body).toMatchObject({ changed: false, method: 'none', result: 'unchanged' });
  });

  it.each([
    ['rejected', 'LOAD_BALANCER_REJECTED'],
    ['rolled_back', 'LOAD_BALANCER_ROLLED_BACK'],
    ['failed', 'LOAD_BALANCER_FAILED'],
  ] as const)('answers 502 with version and reason for what was %s', async (result, code) => {
    control.answer = { ...VERSION, result, reason: 'the disk is full' };
    const { body } = await reload().expect(502);
    const words = result.replace('_', ' ');
    expect(body).toMatchObject({ code, detail: `revision 42 was ${words} as ${VERSION.id}: the disk is full` });
  });

  it.each([
    [409, 'LOAD_BALANCER_NOT_CONFIGURED', new LoadBalancerNotConfiguredError()],
    [502, 'LOAD_BALANCER_REJECTED', new RejectedStateError('NGINX cannot divide namespaces')],
    [503, 'LEADER_UNAVAILABLE', new LeaderUnavailableError(5)],
  ])('answers %i as %s', async (status, code, error) => {
    control.answer = error;
    const { body } = await get('preview').expect(status);
    expect(body).toMatchObject({ code, detail: error.message });
  });

  it('says when to come back while nobody leads', async () => {
    control.answer = new LeaderUnavailableError(5);
    await reload().expect(503).expect('Retry-After', '5');
  });

  it('shows what would change', async () => {
    const file = { path: '/etc/palisade/haproxy.cfg', change: 'changed', bytes: 9, hash: HASH, added: 2, removed: 1 };
    control.answer = {
      revision: 43,
      hash: HASH,
      method: 'reload',
      files: [{ ...file, sample: ['+ a', '+ b', '- c'] }],
    };
    const { body } = await get('preview').expect(200);
    expect(body).toEqual({
      version: 43,
      hash: HASH,
      method: 'reload',
      files: [
        {
          path: '/etc/palisade/haproxy.cfg',
          change: 'changed',
          bytes: 9,
          hash: HASH,
          lines_added: 2,
          lines_removed: 1,
          sample: ['+ a', '+ b', '- c'],
        },
      ],
    });
  });

  it('pages through versions', async () => {
    const older = { ...VERSION, id: '0199a3c4-7d9e-7000-8000-3c5200000000' };
    control.answer = [VERSION, older];
    const { body } = await get('versions?limit=1').expect(200);
    expect(body).toEqual({ items: [RESPONSE], next_cursor: encodeCursor([VERSION.id]) });
    control.answer = [older];
    await get(`versions?limit=1&cursor=${encodeCursor([VERSION.id])}`).expect(200);
    expect(control.asked).toEqual([
      { before: undefined, limit: 2 },
      { before: VERSION.id, limit: 2 },
    ]);
  });

  it.each(['x', encodeCursor(['not an id']), encodeCursor(["' or 1=1"])])('rejects the cursor %s', async (cursor) => {
    const { body } = await get(`versions?cursor=${cursor}`).expect(400);
    expect(body).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('shows the last version and the last drift', async () => {
    const drifts = [{ kind: 'server', detail: 'standard/a: weight' }];
    const unresolved = [{ id: 'b', host: 'b.invalid' }];
    control.answer = {
      type: 'haproxy',
      isBusy: true,
      lastVersion: VERSION,
      lastDrift: { at: VERSION.at, drifts },
      unresolved,
    };
    const { body } = await get('status').expect(200);
    expect(body).toEqual({
      type: 'haproxy',
      busy: true,
      last_version: RESPONSE,
      last_drift: { at: RESPONSE.at, drifts },
      unresolved,
    });
  });

  it('says nothing of versions and drift before there are any', async () => {
    control.answer = { type: 'nginx', isBusy: false, unresolved: [] };
    const { body } = await get('status').expect(200);
    expect(body).toEqual({ type: 'nginx', busy: false, unresolved: [] });
  });

  it('is for admins of every namespace: operators to reload, others to read', () => {
    const access = (method: keyof LoadBalancerController) =>
      Reflect.getMetadata(RouteAccessOf.KEY, LoadBalancerController.prototype[method]) as unknown;
    expect([access('reload'), access('preview'), access('versions'), access('status')]).toEqual([
      { kind: 'admin', scope: 'operate', everyNamespace: true },
      { kind: 'admin', scope: 'read', everyNamespace: true },
      { kind: 'admin', scope: 'read', everyNamespace: true },
      { kind: 'admin', scope: 'read', everyNamespace: true },
    ]);
  });
});
