import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Enough to keep a service on one core busy, few enough not to measure only queueing. */
const DEFAULT_CONNECTIONS = 16;

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {import('../lib/scim-client.mjs').ScimClient} client
 */

/**
 * @typedef {Partial<Omit<import('./load-worker.mjs').Load, 'base' | 'token' | 'seconds' | 'weights'>>
 *   & { weights?: Partial<import('./load-worker.mjs').Load['weights']> }} Requests what to ask for; GETs unless weighted otherwise
 */

/** Makes load from a process of its own. */
export class LoadGenerator {
  #child = fork(new URL('load-worker.mjs', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });

  #end = once(this.#child, 'exit').then(() => {
    throw new Error('the load generator has ended');
  });

  /** @param {import('../lib/workspace.mjs').Workspace} workspace that ends the process */
  constructor(workspace) {
    // Whoever waits for an answer hears of it; nobody else needs to.
    this.#end.catch(() => {});
    workspace.defer(() => this.#child.kill());
  }

  /**
   * @param {Target} target
   * @param {number} seconds
   * @param {Requests} requests
   * @returns {Promise<number>} successful requests per second
   * @throws {Error} when any request failed: a rate of rejections means nothing
   */
  async run({ name, client }, seconds, { weights, connections = DEFAULT_CONNECTIONS, ...requests }) {
    this.#child.send({
      base: client.base,
      token: client.token,
      seconds,
      connections,
      weights: weights ?? { get: 1 },
      ...requests,
    });
    const [{ result, error }] = await Promise.race([once(this.#child, 'message'), this.#end]);
    if (error !== undefined || result.failures > 0 || result.perSecond === 0) {
      throw new Error(`${name}: load failed: ${error ?? JSON.stringify(result)}`);
    }
    return result.perSecond;
  }

  /**
   * Measures competitors in turn (A B A B …), so that whatever else the machine does hits all of them alike.
   *
   * @template {string} K
   * @param {import('./plan.mjs').Plan} plan
   * @param {Record<K, { target: Target, requests: Requests }>} competitors
   * @returns {Promise<Record<K, number[]>>} the rates of each, round by round
   */
  async compare({ rounds, seconds, warmUpSeconds }, competitors) {
    const entries = Object.entries(competitors).map(([key, competitor]) => ({ key, ...competitor, rates: [] }));
    for (const { target, requests } of entries) {
      await this.run(target, warmUpSeconds, requests);
    }
    for (let round = 0; round < rounds; round++) {
      for (const { target, requests, rates } of entries) {
        rates.push(await this.run(target, seconds, requests));
      }
    }
    return Object.fromEntries(entries.map(({ key, rates }) => [key, rates]));
  }
}
