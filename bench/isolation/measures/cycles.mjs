import { compareRates } from '../../lib/finding.mjs';
import { progress } from '../../lib/progress.mjs';
import { createCompetitors } from '../competitors.mjs';

const CONNECTIONS = 10;
const WAITERS = 1000;

/**
 * Acquiring and releasing, by one client, and by so many that nearly all wait.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureCycles(context) {
  progress('measuring acquire and release without contention');
  const alone = await compare(context, 1, context.plan.cycles);
  progress(`measuring acquire and release with ${WAITERS} clients`);
  const contended = await compare(context, WAITERS, context.plan.cycles);
  const { ours, pgPool, genericPool, tarn } = alone;
  return [
    compareRates({
      key: 'uncontended_vs_pg_pool',
      name: 'acquire and release, one client',
      ours,
      others: { 'pg-pool': pgPool },
      target: { atLeast: 2 },
    }),
    compareRates({
      key: 'uncontended_vs_generic_pool',
      name: '- beside generic-pool',
      ours,
      others: { 'generic-pool': genericPool },
      target: { atLeast: 1 },
    }),
    compareRates({ key: 'uncontended_vs_tarn', name: '- beside tarn', ours, others: { tarn } }),
    compareRates({
      key: 'contended_vs_best',
      name: `the same, ${WAITERS} clients, ${CONNECTIONS} connections`,
      ours: contended.ours,
      others: { 'pg-pool': contended.pgPool, 'generic-pool': contended.genericPool, tarn: contended.tarn },
      target: { atLeast: 1 },
    }),
  ];
}

/**
 * Measures all in turn (A B C A B C …), so that whatever else the machine does hits all alike.
 *
 * @param {import('../run.mjs').Context} context
 * @param {number} clients
 * @param {number} cycles of all clients together, per round
 * @returns {Promise<Record<string, number[]>>} cycles per second of each round
 */
async function compare({ plan, NamespacePools, peers }, clients, cycles) {
  const competitors = Object.entries(createCompetitors({ NamespacePools, peers, connections: CONNECTIONS }));
  /** @type {Record<string, number[]>} */
  const rates = Object.fromEntries(competitors.map(([key]) => [key, []]));
  for (let round = -1; round < plan.rounds; round++) {
    for (const [key, { cycle }] of competitors) {
      const rate = await measureRate(cycle, clients, cycles);
      // The first round warms up.
      if (round >= 0) {
        rates[key].push(rate);
      }
    }
  }
  await Promise.all(competitors.map(([, { close }]) => close()));
  return rates;
}

/** @param {() => Promise<void>} cycle @param {number} clients @param {number} cycles */
async function measureRate(cycle, clients, cycles) {
  const each = Math.ceil(cycles / clients);
  const client = async () => {
    for (let count = 0; count < each; count++) {
      await cycle();
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return (each * clients * 1000) / (performance.now() - startedAt);
}
