import { describe, expect, it } from '@jest/globals';
import { WaitingLine } from './waiting-line.js';

describe(WaitingLine.name, () => {
  it('admits whoever has waited longest', async () => {
    const line = new WaitingLine();
    const admitted: string[] = [];
    const both = Promise.all([
      line.join().then(() => admitted.push('first')),
      line.join().then(() => admitted.push('second')),
    ]);
    line.admit();
    line.admit();
    await both;
    expect(admitted).toEqual(['first', 'second']);
  });

  it('says when nobody waits', () => {
    expect(new WaitingLine().admit()).toBe(false);
  });

  it('forgets at once whoever aborts', async () => {
    const line = new WaitingLine();
    const controller = new AbortController();
    const joining = line.join(controller.signal);
    controller.abort(new Error('gone'));
    expect([line.length, line.admit()]).toEqual([0, false]);
    await expect(joining).rejects.toThrow('gone');
  });

  it('rejects whoever has aborted before joining', async () => {
    await expect(new WaitingLine().join(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  it('rejects all who wait', async () => {
    const line = new WaitingLine();
    const joining = Promise.allSettled([line.join(), line.join()]);
    line.rejectAll('closed');
    expect((await joining).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
