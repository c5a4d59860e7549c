import type { JsonObject, ProxyStore } from '@palisade/domain';
import { DiscoveredProxies } from '../discovery/discovered-proxies.js';
import { PeriodicDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import { runTogether, Wakeup } from '@palisade/async';
import { pathOf, type KubernetesApi } from './api/kubernetes-api.js';
import { describeWatch, type KubernetesReport } from './api/kubernetes-report.js';
import { ResourceWatch, type ResourceWatchOptions, type WatchedResource } from './api/resource-watch.js';
import { podsToProxies, type PodRules } from './pods-to-proxies.js';
import { readProxyPod, type ProxyPod } from './proxy-pod.js';

export interface PodDiscoveryOptions extends PodRules {
  /** The namespace of Kubernetes. */
  readonly namespace: string;
  readonly labelSelector: string;
  readonly watch?: ResourceWatchOptions;
}

const SOURCE = 'kubernetes';
/** A round runs at least this often: it restores what the store has lost, and reports the state of the watch. */
const INTERVAL_MS = 1000;
const MAX_REPORTED = 20;

/** Registers ready pods as proxies of the pools that their labels name. */
export class PodDiscoveryDuty extends PeriodicDuty {
  override readonly name = 'pod discovery';
  readonly watch: ResourceWatch<ProxyPod>;
  private readonly wakeup = new Wakeup();
  private readonly discovered: DiscoveredProxies;
  private problems: ReadonlyMap<string, string> = new Map();

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
    const discover = async (): Promise<void> => {
      if (this.watch.isComplete) {
        await this.discover(signal);
      }
      await this.report.tell('pods', this.describe(), term);
    };
    await this.repeat(signal, discover, () => this.wakeup.wait(INTERVAL_MS, signal));
  }

  private async discover(signal: AbortSignal): Promise<void> {
    const ours = (await this.proxies.list()).filter(({ source }) => source === SOURCE);
    const known = new Map(ours.map((proxy) => [proxy.id, proxy]));
    const { proxies, problems } = podsToProxies(this.watch.objects.values(), known, this.options);
    this.noteProblems(problems);
    await this.discovered.replaceAll(proxies, signal);
  }

  /** Logs each problem once. */
  private noteProblems(problems: ReadonlyMap<string, string>): void {
    for (const [pod, problem] of problems) {
      if (this.problems.get(pod) !== problem) {
        this.logger.warn(`pod "${pod}": ${problem}`);
      }
    }
    this.problems = problems;
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
