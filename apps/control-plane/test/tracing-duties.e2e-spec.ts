import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import { SpanStatusCode } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inSpan } from '@palisade/platform';
import { RecordedSpans } from '../../../test/support/tracing/recorded-spans.js';
import { ClusterAccess } from '../src/kubernetes/api/cluster-access.js';
import { KubernetesApi } from '../src/kubernetes/api/kubernetes-api.js';
import { loadBalancerSection, prepareHaproxy, runWhenConfigured } from './support/administered-haproxy.js';
import { ControlApp, TWO_POOLS } from './support/control-app.js';
import { TenantsUnderTest } from './support/kubernetes/tenants-under-test.js';
import type { BalancerUnderTest } from './support/load-balancer/balancer-under-test.js';
import { until } from '../../../test/support/until.js';

const TIME_LIMIT_MS = 60_000;
const NOBODY = '127.0.0.1:1';

/** Answers everything, and keeps the headers that came. */
class HeaderKeeper implements AsyncDisposable {
  readonly received: IncomingHttpHeaders[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      this.received.push(request.headers);
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  }

  static async start(): Promise<HeaderKeeper> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new HeaderKeeper(server);
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

describe('the spans of what the leader does', () => {
  let spans: RecordedSpans;
  let haproxy: BalancerUnderTest;
  let proxy: HeaderKeeper;
  let app: ControlApp;

  beforeAll(async () => {
    spans = new RecordedSpans();
    [haproxy, proxy] = await Promise.all([prepareHaproxy(), HeaderKeeper.start()]);
    const key = join(dirname(haproxy.settings.configPath), 'dns-key');
    await writeFile(key, 'c2VjcmV0');
    app = await ControlApp.start({ yaml: yaml(key), mayLead: true });
    await runWhenConfigured(haproxy);
    await app.register('acme', { namespace_pattern: 'acme', pool: 'standard' });
    await until(() => spans.all.some(isApplied));
  }, TIME_LIMIT_MS);

  afterAll(async () => {
    await app.close();
    await haproxy[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    spans[Symbol.dispose]();
  });

  function yaml(keyFile: string): string {
    const proxies = [{ pool: 'standard', endpoint: proxy.address }];
    const dns = { server: NOBODY, zone: 'pools.example.com', key_name: 'key', key_secret_file: keyFile };
    return [
      TWO_POOLS,
      `load_balancer: ${JSON.stringify(loadBalancerSection(haproxy.settings))}`,
      `service_discovery: ${JSON.stringify({ type: 'static', proxies })}`,
      `dns: ${JSON.stringify(dns)}`,
      'health_checks: { interval: 100ms, timeout: 100ms }',
    ].join('\n');
  }

  function isApplied({ attributes }: RecordedSpans['all'][number]): boolean {
    return attributes['palisade.load_balancer.result'] === 'applied';
  }

  it('show a change of the load balancer step by step', () => {
    const change = spans.all.find(isApplied);
    expect(change).toMatchObject({
      name: 'apply load balancer',
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'palisade.load_balancer.type': 'haproxy', 'palisade.load_balancer.method': expect.any(String) },
    });
    const parent = change?.spanContext().spanId;
    const steps = spans.all.filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent);
    expect(steps.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'render configuration',
        'check configuration',
        expect.stringMatching(/^(?:reload|update) load balancer$/),
      ]),
    );
  });

  it('show proxies that are discovered', () => {
    expect(spans.get('put proxy').attributes).toMatchObject({
      'palisade.pool': 'standard',
      'palisade.discovery': 'static',
    });
  });

  it('show that DNS could not be updated', async () => {
    await until(() => spans.names.includes('update DNS'));
    expect(spans.get('update DNS')).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'dns.question.name': expect.stringMatching(/^(?:standard|premium)\.pools\.example\.com$/) },
    });
  });

  it('are none for looking at proxies, whose checks carry no trace', async () => {
    await until(() => proxy.received.length > 1);
    expect(proxy.received.filter((headers) => 'traceparent' in headers)).toEqual([]);
    expect(spans.names.filter((name) => /health|probe|lease/i.test(name))).toEqual([]);
  });
});

describe('the spans of Kubernetes', () => {
  it('show a batch of resources that is reconciled, with the status that is written', async () => {
    Logger.overrideLogger(false);
    using spans = new RecordedSpans();
    await using suite = await TenantsUnderTest.create();
    await suite.start();
    await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
    await suite.untilRegistered('acme');
    const parents = () =>
      spans.all.filter(({ name }) => name === 'PATCH').map((span) => span.parentSpanContext?.spanId);
    const batches = () => spans.all.filter(({ name }) => name === 'reconcile tenants');
    await until(() => batches().some((batch) => parents().includes(batch.spanContext().spanId)));
    expect(batches()[0]?.attributes).toEqual({ 'palisade.tenants.due': expect.any(Number) });
    await suite.reset();
  });

  it('let the API server go on with a trace, and give it nothing outside of one', async () => {
    using spans = new RecordedSpans();
    await using server = await HeaderKeeper.start();
    class Access extends ClusterAccess {
      override async connection() {
        return { server: `http://${server.address}`, options: {} };
      }
    }
    const api = new KubernetesApi(new Access());
    const read = () => api.request({ method: 'GET', path: '/api/v1' });
    await read();
    await inSpan('work', {}, read);
    const { traceId, spanId } = spans.get('GET').spanContext();
    expect(server.received.map(({ traceparent }) => traceparent)).toEqual([undefined, `00-${traceId}-${spanId}-01`]);
  });
});
