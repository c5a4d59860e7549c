import { messageOf, type LoadBalancerVersion } from '@palisade/domain';
import { NotRunningError, RejectedStateError, SupersededError } from './load-balancer.errors.js';
import type { ClaimedFiles } from './files/claimed-files.js';
import type { ConfigurationFiles } from './files/configuration-files.js';
import type { StagedFiles } from './files/staged-files.js';
import type { Leader } from './files/leader.js';
import type { Drift, LoadBalancerDriver } from './load-balancer-driver.js';
import type { RenderedFile, Rendering } from './rendering/rendered-file.js';
import type { ResolvedState } from './rendering/resolved-state.js';

/** The outcome of a change. */
export type Outcome = Pick<LoadBalancerVersion, 'hash' | 'method' | 'result' | 'reason'>;

const MAX_REASON_LENGTH = 2000;

/** What the steps of one change work with. */
interface Steps<R extends Rendering> {
  readonly rendering: R;
  /** The rendering that is served so far, if that is known. */
  readonly previous: R | undefined;
  readonly staged: StagedFiles;
  readonly claimed: ClaimedFiles;
}

/**
 * Brings configurations to one load balancer; the caller makes sure that they come one at a time. A configuration is
 * rendered, written beside the old one, checked by the load balancer's own program, put in place, and then verified to be
 * served; otherwise the old one is restored.
 */
export class ConfigurationChange<R extends Rendering = Rendering> {
  /** The rendering that is installed and served; undefined while that is not known. */
  private running: R | undefined;
  /** Whether the installed files come from a change that failed to serve them: they must not become the last good ones. */
  private isUnproven = false;
  /** Speeds up the next rendering. */
  private latest: R | undefined;

  constructor(
    private readonly driver: LoadBalancerDriver<R>,
    private readonly files: ConfigurationFiles,
    /** Called with an explanation when a change at runtime failed and a reload takes its place. */
    private readonly onFallback: (what: string) => void = () => {},
  ) {}

  /**
   * Never rejects: failures are in the outcome.
   *
   * @param isForced reload even when nothing has changed
   * @param leader makes the change; knowledge from before a leader of another epoch is discarded
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

  /** The files that installing the rendering would change. */
  outdated(rendering: R): Promise<RenderedFile[]> {
    return this.files.outdated(rendering.files);
  }

  /** How the rendering would be applied. */
  async methodFor(rendering: R): Promise<LoadBalancerVersion['method']> {
    return (await this.isServed(rendering)) ? 'none' : this.driver.classify(this.running, rendering);
  }

  /**
   * The differences of files and running processes from the state. When there are any, the next {@link apply} trusts nothing
   * that was known before, and repairs them.
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
      detail: `${path} has other content, or is missing`,
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

  /** Reloads everything. Whether that makes a difference depends on what was running before. */
  private async force(rendering: R, claimed: ClaimedFiles): Promise<Outcome> {
    // The reload may repair a process that does not answer.
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
    // Awaited here, as the end of this block removes the staged files.
    return await this.reload(steps);
  }

  /** False when a reload has to take its place. */
  private async update({ rendering, previous, staged, claimed }: Steps<R>): Promise<boolean> {
    await staged.install();
    try {
      await this.driver.update(previous, rendering, claimed);
    } catch (error) {
      await claimed.check();
      this.onFallback(`a change at runtime failed, reloading instead: ${reasonOf(error)}`);
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
      // The files of another leader, installed meanwhile, must stay.
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

/** The loss of leadership, if it is lost: then that is the reason for the failure. */
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
