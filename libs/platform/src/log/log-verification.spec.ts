import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Store } from '@palisade/domain';
import { FakeLog, fakeStore, recordOf, recordsOf } from '../../test/support/fake-log.js';
import { LogSeals } from './log-seals.js';
import { LogVerification } from './log-verification.js';

describe(LogVerification.name, () => {
  let log: FakeLog;
  let store: Store;
  let seals: LogSeals;
  let verification: LogVerification;

  beforeEach(() => {
    log = new FakeLog();
    store = fakeStore(log);
    seals = new LogSeals(store);
    verification = new LogVerification(store, seals);
  });

  it('accepts an intact log, page by page', async () => {
    await log.append(recordsOf(2500));
    const list = jest.spyOn(log, 'list');

    expect(await verification.verify()).toEqual({ isValid: true, records: 2500, first: 1, last: 2500 });
    expect(list.mock.calls.map(([{ limit }]) => limit)).toEqual([1000, 1000, 500]);
  });

  it('accepts an empty log', async () => {
    expect(await verification.verify()).toEqual({ isValid: true, records: 0, first: 1, last: 0 });
  });

  it('tells where a record was changed', async () => {
    await log.append(recordsOf(5));
    log.sealed = log.sealed.map((record) => (record.position === 3 ? { ...record, userId: 'eve' } : record));

    expect(await verification.verify()).toEqual({
      isValid: false,
      records: 2,
      first: 1,
      last: 5,
      brokenAt: 3,
      reason: 'hash',
    });
  });

  it('tells that the last records are missing', async () => {
    await log.append(recordsOf(5));
    const list = log.list.bind(log);
    jest.spyOn(log, 'list').mockImplementation(async (query) => (await list(query)).slice(0, 4 - (query.after ?? 0)));

    expect(await verification.verify()).toMatchObject({ isValid: false, brokenAt: 5, reason: 'position' });
  });

  it('begins again when the oldest records are removed meanwhile', async () => {
    await log.append(recordsOf(1500, { timestamp: new Date(0) }));
    await log.append(recordsOf(1500));
    const list = log.list.bind(log);
    jest.spyOn(log, 'list').mockImplementationOnce(async (query) => {
      const page = await list(query);
      await log.removeBefore(new Date(1));
      return page;
    });

    expect(await verification.verify()).toEqual({ isValid: true, records: 1500, first: 1501, last: 3000 });
  });

  it('verifies once for all who ask at the same time, and again for those who ask later', async () => {
    await log.append(recordsOf(3));
    const list = jest.spyOn(log, 'list');

    await Promise.all([verification.verify(), verification.verify(), verification.verify()]);
    expect(list).toHaveBeenCalledTimes(1);
    await verification.verify();
    expect(list).toHaveBeenCalledTimes(2);
  });

  describe('with a seal that was kept', () => {
    let kept: string;

    beforeEach(async () => {
      await log.append(recordsOf(3));
      kept = (await seals.current()).signature;
    });

    it('accepts a log that has grown', async () => {
      await log.append(recordsOf(2));

      expect(await verification.verify(kept)).toMatchObject({ isValid: true, records: 5 });
    });

    it('tells that the end was cut off', async () => {
      log.sealed.pop();

      expect(await verification.verify()).toMatchObject({ isValid: true, records: 2 });
      expect(await verification.verify(kept)).toMatchObject({ isValid: false, brokenAt: 3, reason: 'cut' });
    });

    it('tells that everything was written again', async () => {
      log.sealed = [];
      await log.append([recordOf({ userId: 'eve' }), ...recordsOf(4)]);

      expect(await verification.verify()).toMatchObject({ isValid: true, records: 5 });
      expect(await verification.verify(kept)).toMatchObject({ isValid: false, brokenAt: 3, reason: 'seal' });
    });

    it('compares it with what was removed last, and with nothing older', async () => {
      await log.append(recordsOf(1, { timestamp: new Date('2027-01-01T00:00:00Z') }));
      await log.removeBefore(new Date('2027-01-01T00:00:00Z'));

      expect(await verification.verify(kept)).toMatchObject({ isValid: true, records: 1, first: 4 });
    });

    it.each(['nonsense', 'eyJhbGciOiJub25lIn0.e30.'])('rejects the signature %s', async (signature) => {
      expect(await verification.verify(signature)).toMatchObject({ isValid: false, reason: 'signature' });
    });

    it('rejects a seal of another installation', async () => {
      const other = await new LogSeals(fakeStore(log)).current();

      expect(await verification.verify(other.signature)).toMatchObject({ isValid: false, reason: 'signature' });
    });
  });
});
