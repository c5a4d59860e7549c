import { describe, expect, it } from '@jest/globals';
import { WorkContext } from '../../../../test/support/work-context.js';
import { HeldRows } from './held-rows.js';

const STEP = 65_536;

describe(HeldRows.name, () => {
  it('asks for memory in steps', () => {
    const context = new WorkContext();
    const held = new HeldRows(context);
    held.add(1);
    held.add(STEP - 1);
    expect(context.heldBytes).toBe(STEP);
    held.add(1);
    expect(context.heldBytes).toBe(2 * STEP);
  });

  it('asks for a large row at once', () => {
    const context = new WorkContext();
    new HeldRows(context).add(3 * STEP + 1);
    expect(context.heldBytes).toBe(4 * STEP);
  });

  it('holds no more than it was given', () => {
    const context = new WorkContext();
    context.maxBytes = STEP;
    const held = new HeldRows(context);
    held.add(STEP);
    expect(() => held.add(1)).toThrow('too many');
    expect([held.bytes, context.heldBytes]).toEqual([STEP, STEP]);
  });

  it('gives back what it lets go of', () => {
    const context = new WorkContext();
    const held = new HeldRows(context);
    held.add(1);
    held.add(5 * STEP);
    held.shrinkTo(1);
    expect([held.bytes, context.heldBytes]).toEqual([1, STEP]);
    held[Symbol.dispose]();
    expect([held.bytes, context.heldBytes]).toEqual([0, 0]);
  });
});
