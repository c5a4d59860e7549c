import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { PriorityQueue, Rank } from './priority-queue.js';

interface Item {
  priority: number;
}

function drain(queue: PriorityQueue<Item>, ranks: readonly Rank<Item>[]): number[] {
  const priorities: number[] = [];
  for (let first = queue.first; first !== undefined; first = queue.first) {
    priorities.push(first.priority);
    queue.remove(ranks.find(({ value }) => value === first) ?? new Rank(first));
  }
  return priorities;
}

describe(PriorityQueue.name, () => {
  it('gives entries in order after any changes and removals', () => {
    const changes = fc.array(fc.tuple(fc.nat(19), fc.option(fc.nat(100))), { maxLength: 40 });
    const property = fc.property(
      fc.array(fc.nat(100), { minLength: 1, maxLength: 20 }),
      changes,
      (priorities, steps) => {
        const queue = new PriorityQueue<Item>((a, b) => a.priority < b.priority);
        const ranks = priorities.map((priority) => new Rank<Item>({ priority }));
        for (const rank of ranks) {
          queue.put(rank);
        }
        for (const [index, priority] of steps) {
          const rank = ranks[index % ranks.length];
          if (rank !== undefined && priority !== null) {
            rank.value.priority = priority;
            queue.put(rank);
          } else if (rank !== undefined) {
            queue.remove(rank);
          }
        }
        const queued = ranks.filter(({ position }) => position !== -1).map(({ value }) => value.priority);
        expect(queue.length).toBe(queued.length);
        expect(drain(queue, ranks)).toEqual(queued.sort((a, b) => a - b));
      },
    );
    fc.assert(property, { numRuns: 300 });
  });
});
