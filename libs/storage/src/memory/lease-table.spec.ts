import { describe, expect, it } from '@jest/globals';
import { LeaseLostError } from '@palisade/domain';
import { LeaseTable } from './lease-table.js';

function createTable() {
  const clock = { at: 0 };
  return { clock, table: new LeaseTable(() => clock.at) };
}

describe(LeaseTable.name, () => {
  it('gives a lease away at the very moment at which it runs out', () => {
    const { clock, table } = createTable();
    table.acquire('x', 'a', 1000);

    clock.at = 999;
    expect(table.acquire('x', 'b', 1000)).toMatchObject({ holder: 'a', expiresAt: new Date(1000) });
    clock.at = 1000;
    expect(table.find('x')).toBeUndefined();
    expect(table.acquire('x', 'b', 1000)).toMatchObject({ holder: 'b', epoch: 2, expiresAt: new Date(2000) });
  });

  it('lets a lease that has run out be used until another has it', () => {
    const { clock, table } = createTable();
    const lease = table.acquire('x', 'a', 1000);

    clock.at = 5000;
    expect(() => table.requireCurrent(lease)).not.toThrow();
    table.acquire('x', 'b', 1000);
    expect(() => table.requireCurrent(lease)).toThrow(LeaseLostError);
  });
});
