import type { ProxyHealth } from '@palisade/domain';

export interface JudgeSettings {
  /** Consecutive good answers that make an unhealthy proxy healthy. */
  readonly rise: number;
  /** Consecutive failures that make a healthy proxy unhealthy. */
  readonly fall: number;
}

/** Falls within this time count as flapping. */
const FLAP_WINDOW_MS = 10 * 60_000;
/** Each fall after the first doubles `rise`, at most this often. */
const MAX_DOUBLINGS = 4;

/**
 * Decides on the health of one proxy by the results of its checks. The first good answer makes an unknown proxy healthy. A
 * proxy that keeps falling needs more good answers each time, up to 16 times `rise`, until it has not fallen for ten minutes.
 */
export class HealthJudge {
  private inARow = 0;
  private falls: number[] = [];

  constructor(
    private readonly settings: JudgeSettings,
    private health: ProxyHealth,
  ) {}

  /** @param at milliseconds of a monotonic clock */
  judge(isGood: boolean, at: number): ProxyHealth {
    if (this.health === (isGood ? 'healthy' : 'unhealthy')) {
      this.inARow = 0;
      return this.health;
    }
    this.inARow++;
    if (isGood ? this.inARow >= this.neededRise(at) : this.inARow >= this.settings.fall) {
      this.change(isGood ? 'healthy' : 'unhealthy', at);
    }
    return this.health;
  }

  /** Consecutive good answers that make it healthy. */
  neededRise(at: number): number {
    if (this.health === 'unknown') {
      return 1;
    }
    const falls = this.falls.filter((fall) => at - fall < FLAP_WINDOW_MS).length;
    return this.settings.rise * 2 ** Math.min(MAX_DOUBLINGS, Math.max(0, falls - 1));
  }

  private change(health: ProxyHealth, at: number): void {
    if (this.health === 'healthy' && health === 'unhealthy') {
      this.falls = [...this.falls, at].slice(-MAX_DOUBLINGS - 1);
    }
    this.health = health;
    this.inARow = 0;
  }
}
