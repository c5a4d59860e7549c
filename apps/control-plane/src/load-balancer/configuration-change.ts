import { messageOf, type LoadBalancerVersion } from '@palisade/domain';
import { NotRunningError, RejectedStateError, SupersededError } from './load-balancer.errors.js';
import type { ClaimedFiles } from './files/claimed-files.js';
import type { ConfigurationFiles } from './files/configuration-files.js';
import type { StagedFiles } from './files/staged-files.js';
import type { Leader } from './files/leader.js';
import type { Drift, LoadBalancerDriver } from './load-balancer-driver.js';
import type { RenderedFile, Rendering } from './rendering/rendered-file.js';
import type { ResolvedState } from './rendering/resolved-state.js';

/** What became of a change. */
export type Outcome = Pick<LoadBalancerVersion, 'hash' | 'method' | 'result' | 'reason'>;

const MAX_REASON_LENGTH = 2000;

/** What the steps of one change work with. */
interface Steps<R extends Rendering> {
  readonly rendering: R;
  /** What is served so far, if that is known. */
  readonly previous: R | undefined;
  readonly staged: StagedFiles;
  readonly claimed: ClaimedFiles;
}

/**
 * Brings configurations to one load balancer, one after the other; the caller sees to that. A configuration is rendered,
 * written beside the old one, checked by the load balancer's own program, put in place, and then known to be served, or
 * else the old one is brought back.
 */
export class ConfigurationChange<R extends Rendering = Rendering> {
  /** What is installed and served; undefined as long as that is not known. */
  private running: R | undefined;
  /** Whether what is installed was put there by a change that did not get it served: never the last that was good. */
  private isUnproven = false;
  /** To be quicker with the next one. */
  private latest: R | undefined;

  constructor(
    private readonly driver: LoadBalancerDriver<R>,
    private readonly files: ConfigurationFiles,
    /** Told, in words, when the milder way to make a change did not work. */
    private readonly onFallback: (what: string) => void = () => {},
  ) {}

  /**
   * Never rejects: what went wrong is in the outcome.
   *
   * @param isForced reload even when everything is as it should be
   * @param leader whose change it is; nothing is relied on that was known before a leader of another epoch
   */
  async apply(state: ResolvedState, isForced: boolean, leader: Leader): Promise<Outcome> {
    let rendering: R | undefined;
    let claimed: ClaimedFiles | undefined;
    try {
      rendering = await this.render(state);
      await this.files.requireOwnership();
      claimed = await this.claim(leader);
      if (isForced) {
        return await this.force(rendering, claimed);
      }
      if (await this.isServed(rendering)) {
        return { hash: rendering.hash, method: 'none', result: 'unchanged' };
      }
      return await this.bring(rendering, claimed, false);
    } catch (error) {
      const cause = await rootOf(error, claimed);
      const result = cause instanceof RejectedStateError ? 'rejected' : 'failed';
      return { hash: rendering?.hash ?? '', method: 'none', result, reason: reasonOf(cause) };
    }
  }

  /** @throws {RejectedStateError} when the state cannot become a configuration */
  async render(state: ResolvedState): Promise<R> {
    this.latest = await this.driver.render(state, this.latest);
    return this.latest;
  }

  /** Those that installing the rendering would change. */
  outdated(rendering: R): Promise<RenderedFile[]> {
    return this.files.outdated(rendering.files);
  }

  /** How the rendering would be applied. */
  async methodFor(rendering: R): Promise<LoadBalancerVersion['method']> {
    return (await this.isServed(rendering)) ? 'none' : this.driver.classify(this.running, rendering);
  }

  /**
   * Where files and what runs are not as the state says. When there is something, the next {@link apply} relies on nothing
   * and repairs it.
   */
  async findDrift(state: ResolvedState): Promise<Drift[]> {
    const rendering = await this.render(state);
    const drifts = await this.driftFrom(rendering);
    this.running = undefined;
    if (drifts.length === 0) {
      this.noteServed(rendering);
    }
    return drifts;
  }

  private async driftFrom(rendering: R): Promise<Drift[]> {
    const outdated = await this.files.outdated(rendering.files);
    const ofFiles = outdated.map(({ path }): Drift => ({
      kind: 'file',
      detail: `${path} has another content, or is missing`,
    }));
    return [...ofFiles, ...(await this.driver.findDrift(rendering))];
  }

  private async isServed(rendering: R): Promise<boolean> {
    if (this.running === undefined && (await this.driftFrom(rendering)).length === 0) {
      this.noteServed(rendering);
    }
    return this.running?.hash === rendering.hash;
  }

  private noteServed(rendering: R): void {
    this.running = rendering;
    this.isUnproven = false;
  }

  private async claim(leader: Leader): Promise<ClaimedFiles> {
    const claimed = await this.files.claim(leader);
    if (claimed.isNew) {
      this.running = undefined;
      this.isUnproven = false;
    }
    return claimed;
  }

  /** Loads everything anew; whether that makes a difference, only what runs can tell. */
  private async force(rendering: R, claimed: ClaimedFiles): Promise<Outcome> {
    // Whatever does not answer may be put right by the reload.
    const drifts = await this.driftFrom(rendering).catch(() => undefined);
    const outcome = await this.bring(rendering, claimed, true);
    return outcome.result === 'applied' && drifts?.length === 0 ? { ...outcome, result: 'unchanged' } : outcome;
  }

  private async bring(rendering: R, claimed: ClaimedFiles, isForced: boolean): Promise<Outcome> {
    const method = isForced ? 'reload' : await this.driver.classify(this.running, rendering);
    await using staged = await claimed.stage(isForced ? rendering.files : await this.outdated(rendering));
    await this.driver.validate(rendering, staged);
    const previous = this.running;
    const paths = rendering.files.map(({ path }) => path);
    if (previous !== undefined ? method === 'reload' : !this.isUnproven) {
      await claimed.keepLastGood(paths, previous?.files);
    }
    this.running = undefined;
    this.isUnproven = true;
    const steps = { rendering, previous, staged, claimed };
    if (method !== 'reload' && (await this.update(steps))) {
      return { hash: rendering.hash, method, result: 'applied' };
    }
    // Awaited here, as the staged files go with the end of this block.
    return await this.reload(steps);
  }

  /** False when a reload has to do it. */
  private async update({ rendering, previous, staged, claimed }: Steps<R>): Promise<boolean> {
    await staged.install();
    try {
      await this.driver.update(previous, rendering, claimed);
    } catch (error) {
      await claimed.check();
      this.onFallback(`a change at runtime failed, and a reload takes its place: ${reasonOf(error)}`);
      if (previous !== undefined) {
        await claimed.keepLastGood(
          previous.files.map(({ path }) => path),
          previous.files,
        );
      }
      return false;
    }
    this.noteServed(rendering);
    return true;
  }

  private async reload(steps: Steps<R>): Promise<Outcome> {
    const { rendering, staged, claimed } = steps;
    try {
      await staged.install();
      await this.driver.reload(rendering, claimed);
      this.noteServed(rendering);
      return { hash: rendering.hash, method: 'reload', result: 'applied' };
    } catch (error) {
      // What another leader has put in place meanwhile stays.
      await claimed.check();
      return { hash: rendering.hash, method: 'reload', ...(await this.rollBack(error, steps)) };
    }
  }

  private async rollBack(
    error: unknown,
    { rendering, previous, claimed }: Steps<R>,
  ): Promise<Pick<Outcome, 'result' | 'reason'>> {
    const reason = reasonOf(error);
    if (error instanceof NotRunningError) {
      return { result: 'failed', reason: `${reason}; it will find the checked configuration when it starts` };
    }
    try {
      if (!(await claimed.restoreLastGood(rendering.files.map(({ path }) => path)))) {
        return { result: 'failed', reason: `${reason}; there is no earlier configuration to go back to` };
      }
      await this.driver.reload(previous, claimed);
    } catch (second) {
      await claimed.check();
      if (previous === undefined || (await this.driver.findDrift(previous)).length > 0) {
        return { result: 'failed', reason: `${reason}; then, with the earlier configuration: ${reasonOf(second)}` };
      }
    }
    this.running = previous;
    return { result: 'rolled_back', reason };
  }
}

/** The loss of leadership, when it is lost: whatever failed then, failed because of it. */
async function rootOf(error: unknown, claimed: ClaimedFiles | undefined): Promise<unknown> {
  return (
    claimed?.check().then(
      () => error,
      (loss: unknown) => (loss instanceof SupersededError ? loss : error),
    ) ?? error
  );
}

function reasonOf(error: unknown): string {
  return messageOf(error).slice(0, MAX_REASON_LENGTH);
}
