import { describe, expect, it, jest } from '@jest/globals';
import { MemoryStore } from '@palisade/storage';
import { appendActions } from '../../../test/support/audit-samples.js';
import { ChainVerification } from './chain-verification.js';

describe(ChainVerification.name, () => {
  it('accepts a whole chain, page by page', async () => {
    const store = new MemoryStore();
    await appendActions(store.actions, 2500);
    const list = jest.spyOn(store.actions, 'list');

    const chain = await new ChainVerification(store).verify();

    expect(chain).toEqual({ isValid: true, records: 2500, first: 1, last: 2500 });
    expect(list.mock.calls.map(([{ limit }]) => limit)).toEqual([1000, 1000, 500]);
  });

  it('accepts an empty chain', async () => {
    expect(await new ChainVerification(new MemoryStore()).verify()).toEqual({
      isValid: true,
      records: 0,
      first: 1,
      last: 0,
    });
  });

  it('tells where a record was changed', async () => {
    const store = new MemoryStore();
    await appendActions(store.actions, 5);
    const [, , third] = await store.actions.list({ limit: 5 });
    const list = store.actions.list.bind(store.actions);
    jest
      .spyOn(store.actions, 'list')
      .mockImplementation(async (query) =>
        (await list(query)).map((record) => (record.sequence === 3 ? { ...record, userId: 'eve' } : record)),
      );

    expect(third?.sequence).toBe(3);
    expect(await new ChainVerification(store).verify()).toEqual({
      isValid: false,
      records: 2,
      first: 1,
      last: 5,
      brokenAt: 3,
      reason: 'hash',
    });
  });

  it('tells that the last records are missing', async () => {
    const store = new MemoryStore();
    await appendActions(store.actions, 5);
    const list = store.actions.list.bind(store.actions);
    jest
      .spyOn(store.actions, 'list')
      .mockImplementation(async (query) => (await list(query)).filter(({ sequence }) => sequence <= 4));

    expect(await new ChainVerification(store).verify()).toMatchObject({
      isValid: false,
      brokenAt: 5,
      reason: 'sequence',
    });
  });

  it('begins anew when the oldest records are removed meanwhile', async () => {
    const store = new MemoryStore();
    await appendActions(store.actions, 1500, { timestamp: new Date(0) });
    await appendActions(store.actions, 1500);
    const list = store.actions.list.bind(store.actions);
    jest.spyOn(store.actions, 'list').mockImplementationOnce(async (query) => {
      const page = await list(query);
      await store.actions.removeBefore(new Date(1));
      return page;
    });

    expect(await new ChainVerification(store).verify()).toEqual({
      isValid: true,
      records: 1500,
      first: 1501,
      last: 3000,
    });
  });

  it('verifies once for all who ask at the same time, and anew for those who ask later', async () => {
    const store = new MemoryStore();
    await appendActions(store.actions, 3);
    const list = jest.spyOn(store.actions, 'list');
    const verification = new ChainVerification(store);

    await Promise.all([verification.verify(), verification.verify(), verification.verify()]);
    expect(list).toHaveBeenCalledTimes(1);
    await verification.verify();
    expect(list).toHaveBeenCalledTimes(2);
  });
});
