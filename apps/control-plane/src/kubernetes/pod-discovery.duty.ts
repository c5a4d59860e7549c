import { Logger } from '@nestjs/common';
import { StoreUnavailableError, type JsonObject, type ProxyStore } from '@palisade/domain';
import { DiscoveredProxies } from '../discovery/discovered-proxies.js';
import { LeaderDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import { runTogether, Wakeup } from '@palisade/async';
import { pathOf, type KubernetesApi } from './api/kubernetes-api.js';
import { describeWatch, type KubernetesReport } from './api/kubernetes-report.js';
import { ResourceWatch, type ResourceWatchOptions, type WatchedResource } from './api/resource-watch.js';
import { podsToProxies, type PodRules } from './pods-to-proxies.js';
import { readProxyPod, type ProxyPod } from './proxy-pod.js';

export interface PodDiscoveryOptions extends PodRules {
  /** Of Kubernetes. */
  readonly namespace: string;
  readonly labelSelector: string;
  readonly watch?: ResourceWatchOptions;
}

const SOURCE = 'kubernetes';
/** Even if nothing changes: what the store has lost comes back, and what a watch says of itself is reported. */
const INTERVAL_MS = 1000;
const MAX_REPORTED = 20;

/** Has the proxies that ready pods are, of the pools that their labels name. */
export class PodDiscoveryDuty extends LeaderDuty {
  override readonly name = 'pod discovery';
  readonly watch: ResourceWatch<ProxyPod>;
  private readonly logger = new Logger(PodDiscoveryDuty.name);
  private readonly wakeup = new Wakeup();
  private readonly discovered: DiscoveredProxies;
  private problems: ReadonlyMap<string, string> = new Map();
  private isStoreAway = false;

  constructor(
    private readonly proxies: ProxyStore,
    api: KubernetesApi,
    private readonly report: KubernetesReport,
    private readonly options: PodDiscoveryOptions,
  ) {
    super();
    const { namespace, labelSelector, watch } = options;
    this.discovered = new DiscoveredProxies(proxies, SOURCE);
    const resource: WatchedResource<ProxyPod> = {
      label: 'pods',
      path: pathOf('/api/v1', namespace, 'pods'),
      labelSelector,
      read: (metadata, object) => readProxyPod(metadata, object, options),
    };
    const wake = (): void => this.wakeup.wake();
    this.watch = new ResourceWatch(api, resource, { listed: wake, changed: wake }, watch);
  }

  override async run(term: LeaderTerm): Promise<void> {
    this.problems = new Map();
    await runTogether(
      term.signal,
      (signal) => this.watch.run(signal),
      (signal) => this.follow(term, signal),
    );
  }

  private async follow(term: LeaderTerm, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.watch.isComplete) {
          await this.discover(signal);
        }
        await this.report.tell('pods', this.describe(), term);
        this.noteStore(undefined);
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (!(error instanceof StoreUnavailableError)) {
          throw error;
        }
        this.noteStore(error);
      }
      await this.wakeup.wait(INTERVAL_MS, signal);
    }
  }

  private async discover(signal: AbortSignal): Promise<void> {
    const ours = (await this.proxies.list()).filter(({ source }) => source === SOURCE);
    const known = new Map(ours.map((proxy) => [proxy.id, proxy]));
    const { proxies, problems } = podsToProxies(this.watch.objects.values(), known, this.options);
    this.noteProblems(problems);
    await this.discovered.replaceAll(proxies, signal);
  }

  /** Each is told about once. */
  private noteProblems(problems: ReadonlyMap<string, string>): void {
    for (const [pod, problem] of problems) {
      if (this.problems.get(pod) !== problem) {
        this.logger.warn(`pod "${pod}": ${problem}`);
      }
    }
    this.problems = problems;
  }

  private noteStore(error: StoreUnavailableError | undefined): void {
    if (error !== undefined && !this.isStoreAway) {
      this.logger.warn('what pods say cannot be kept', error);
    }
    this.isStoreAway = error !== undefined;
  }

  private describe(): JsonObject {
    const { objects, unreadable, health } = this.watch;
    const problems = [...this.problems].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      ...describeWatch(health.snapshot),
      resources: objects.size,
      problems: problems.slice(0, MAX_REPORTED).map(([pod, problem]) => ({ pod, problem })),
      ...(unreadable > 0 && { unreadable }),
    };
  }
}
