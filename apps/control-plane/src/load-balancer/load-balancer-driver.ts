import type { LoadBalancerVersion } from '@palisade/domain';
import { inSubspan } from '@palisade/platform';
import type { StagedFiles } from './files/staged-files.js';
import type { Fence } from './files/leader.js';
import type { Rendering } from './rendering/rendered-file.js';
import type { ResolvedState } from './rendering/resolved-state.js';

/** How a change reaches the load balancer. */
export type ChangeMethod = Exclude<LoadBalancerVersion['method'], 'none'>;

/** Something that is not as it should be. */
export interface Drift {
  /** A file was changed, something else runs, or what runs was changed. */
  readonly kind: 'file' | 'process' | 'map' | 'server';
  /** For people. */
  readonly detail: string;
}

/** One kind of load balancer: what its files look like, and how what runs is made to follow them. */
export abstract class LoadBalancerDriver<R extends Rendering = Rendering> {
  abstract readonly type: LoadBalancerVersion['type'];

  /**
   * The same state always becomes the same files. Gives others their turn while it works.
   *
   * @param previous an earlier one, to be quicker
   * @throws {RejectedStateError} when this kind of load balancer cannot do what is desired
   */
  abstract render(state: ResolvedState, previous: R | undefined): Promise<R>;

  /**
   * Has the load balancer's own program check files before they are put in place.
   *
   * @throws {RejectedStateError} with what it said
   */
  abstract validate(rendering: R, staged: StagedFiles): Promise<void>;

  /**
   * The mildest way to make what runs do what `to` says.
   *
   * @param from what runs; undefined: whatever it says of itself
   */
  abstract classify(from: R | undefined, to: R): Promise<ChangeMethod>;

  /**
   * Makes what runs do what the installed files say without a new process, and makes sure that it does.
   *
   * @param fence is asked before each step that changes something
   * @throws {Error} when it may not: then only a reload helps
   */
  abstract update(from: R | undefined, to: R, fence: Fence): Promise<void>;

  /**
   * Has the installed files loaded, and makes sure that they were.
   *
   * @param expected what they are; undefined: only that they were loaded is known
   * @param fence is asked before each step that changes something
   * @throws {NotRunningError} when there is nothing that could load them
   * @throws {Error} when they were not loaded; what ran before still runs
   */
  abstract reload(expected: R | undefined, fence: Fence): Promise<void>;

  /** Where what runs is not as these files say; files are not looked at. */
  abstract findDrift(expected: R): Promise<Drift[]>;
}

/** A driver whose steps are spans within that of the change that they belong to. */
export class TracedDriver<R extends Rendering> extends LoadBalancerDriver<R> {
  override readonly type: LoadBalancerDriver['type'];

  constructor(private readonly driver: LoadBalancerDriver<R>) {
    super();
    this.type = driver.type;
  }

  override render(state: ResolvedState, previous: R | undefined): Promise<R> {
    return inSubspan('render configuration', {}, () => this.driver.render(state, previous));
  }

  override validate(rendering: R, staged: StagedFiles): Promise<void> {
    return inSubspan('check configuration', {}, () => this.driver.validate(rendering, staged));
  }

  override classify(from: R | undefined, to: R): Promise<ChangeMethod> {
    return this.driver.classify(from, to);
  }

  override update(from: R | undefined, to: R, fence: Fence): Promise<void> {
    return inSubspan('update load balancer', {}, () => this.driver.update(from, to, fence));
  }

  override reload(expected: R | undefined, fence: Fence): Promise<void> {
    return inSubspan('reload load balancer', {}, () => this.driver.reload(expected, fence));
  }

  override findDrift(expected: R): Promise<Drift[]> {
    return inSubspan('look for drift', {}, () => this.driver.findDrift(expected));
  }
}
