import { inSubspan } from '@palisade/platform';
import type { StagedFiles } from './files/staged-files.js';
import type { Fence } from './leading/fence.js';
import { LoadBalancerDriver, type ChangeMethod, type Drift } from './load-balancer-driver.js';
import type { Rendering } from './rendering/rendered-file.js';
import type { ResolvedState } from './resolved-state.js';

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
