import type { LoadBalancerVersion } from '@palisade/domain';
import { inSubspan } from '@palisade/platform';
import type { StagedFiles } from './files/staged-files.js';
import type { Fence } from './files/leader.js';
import type { Rendering } from './rendering/rendered-file.js';
import type { ResolvedState } from './rendering/resolved-state.js';

/** How a change reaches the load balancer. */
export type ChangeMethod = Exclude<LoadBalancerVersion['method'], 'none'>;

/** A difference from the desired state. */
export interface Drift {
  /** A changed file, another configuration in the process, or changed maps or servers at runtime. */
  readonly kind: 'file' | 'process' | 'map' | 'server';
  /** For people. */
  readonly detail: string;
}

/** One kind of load balancer: the content of its files, and how the running process is made to follow them. */
export abstract class LoadBalancerDriver<R extends Rendering = Rendering> {
  abstract readonly type: LoadBalancerVersion['type'];

  /**
   * Renders the same state to the same files every time. Yields to other work meanwhile.
   *
   * @param previous an earlier rendering, which speeds this one up
   * @throws {RejectedStateError} when this kind of load balancer cannot express the state
   */
  abstract render(state: ResolvedState, previous: R | undefined): Promise<R>;

  /**
   * Lets the load balancer's own program check files before they are put in place.
   *
   * @throws {RejectedStateError} with the program's message
   */
  abstract validate(rendering: R, staged: StagedFiles): Promise<void>;

  /**
   * The least disruptive way to reach `to`.
   *
   * @param from the rendering that is running; undefined: ask the process
   */
  abstract classify(from: R | undefined, to: R): Promise<ChangeMethod>;

  /**
   * Makes the running process follow the installed files without a restart, and verifies that it does.
   *
   * @param fence checked before each step that changes something
   * @throws {Error} when it may not have succeeded: then only a reload helps
   */
  abstract update(from: R | undefined, to: R, fence: Fence): Promise<void>;

  /**
   * Reloads the installed files, and verifies that they were loaded.
   *
   * @param expected their rendering; undefined when it is not known: then the reload alone is verified
   * @param fence checked before each step that changes something
   * @throws {NotRunningError} when there is no process that could load them
   * @throws {Error} when they were not loaded; the configuration from before is still served
   */
  abstract reload(expected: R | undefined, fence: Fence): Promise<void>;

  /** The differences of the running process from the rendering; files are not compared. */
  abstract findDrift(expected: R): Promise<Drift[]>;
}

/** A driver whose steps are spans within the span of the change. */
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
