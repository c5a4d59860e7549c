import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { until } from '../until.js';
import { startOwnPrometheus, type OwnServer, type UrlServer } from '../test-services.js';

const DIRECTORY = join(import.meta.dirname, '../../../deploy/prometheus');
const INTERVAL = '1s';

export type Labels = Readonly<Record<string, string>>;

export interface Series {
  readonly metric: Labels;
  /** Those that are numbers. */
  readonly values: readonly number[];
}

interface Configuration {
  readonly scrape_configs: readonly { readonly job_name: string; readonly authorization?: object }[];
}

/** A Prometheus with jobs and all alert rules of deploy/prometheus, which asks every second. */
export class Prometheus implements AsyncDisposable {
  private readonly startedAt = Date.now() / 1000;

  private constructor(
    private readonly server: OwnServer<UrlServer>,
    private readonly targets: number,
  ) {}

  /**
   * @param targets origins by job
   * @param token of the jobs that have one
   * @throws {TypeError} when deploy/prometheus/prometheus.yaml has no such job
   */
  static async start(targets: Readonly<Record<string, readonly string[]>>, token: string): Promise<Prometheus> {
    const deployed = parse(readFileSync(join(DIRECTORY, 'prometheus.yaml'), 'utf8')) as Configuration;
    const jobs = new Map(deployed.scrape_configs.map((job) => [job.job_name, job]));
    const scrape_configs = Object.entries(targets).map(([job_name, origins]) => {
      const job = jobs.get(job_name);
      if (job === undefined) {
        throw new TypeError(`deploy/prometheus/prometheus.yaml has no job ${job_name}`);
      }
      return {
        job_name,
        ...(job.authorization && { authorization: { credentials: token } }),
        static_configs: [{ targets: origins.map((origin) => new URL(origin).host) }],
      };
    });
    const server = await startOwnPrometheus({
      'prometheus.yaml': stringify({
        global: { scrape_interval: INTERVAL, evaluation_interval: INTERVAL },
        rule_files: ['alerts.yaml'],
        scrape_configs,
      }),
      'alerts.yaml': readFileSync(join(DIRECTORY, 'alerts.yaml'), 'utf8'),
    });
    return new Prometheus(server, Object.values(targets).flat().length);
  }

  /** Resolves when it has asked every target. */
  async untilScraped(): Promise<void> {
    await until(async () => (await this.series('up')).length === this.targets);
  }

  /** `counter`, `gauge`, `histogram` or `summary`, by the name of the metric; only of the metrics that were scraped. */
  async typesOfMetrics(): Promise<Map<string, string>> {
    const metadata = await this.ask<Record<string, readonly { type: string }[]>>('metadata', {});
    return new Map(Object.entries(metadata).map(([name, [entry]]) => [name, entry?.type ?? '']));
  }

  /** What the expression gave since the start. @throws {Error} with what is wrong with the expression */
  async queryRange(expression: string): Promise<Series[]> {
    const end = Date.now() / 1000;
    const range = { start: String(this.startedAt), end: String(end), step: '1' };
    const { result } = await this.ask<{ result: { metric: Labels; values: [number, string][] }[] }>('query_range', {
      query: expression,
      ...range,
    });
    return result.map(({ metric, values }) => ({
      metric,
      values: values.map(([, value]) => Number(value)).filter((value) => !Number.isNaN(value)),
    }));
  }

  /** Values of a label in the series of a metric. */
  async labelValues(label: string, selector: string): Promise<string[]> {
    return this.ask<string[]>(`label/${label}/values`, { 'match[]': selector });
  }

  /** Every series of a metric. */
  async series(metric: string): Promise<Labels[]> {
    return this.ask<Labels[]>('series', { 'match[]': metric });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }

  private async ask<T>(path: string, parameters: Readonly<Record<string, string>>): Promise<T> {
    const response = await fetch(`${this.server.url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const { status, data, error } = (await response.json()) as { status: string; data: T; error?: string };
    if (status !== 'success') {
      throw new Error(`${error}: ${parameters['query'] ?? parameters['match[]']}`);
    }
    return data;
  }
}
