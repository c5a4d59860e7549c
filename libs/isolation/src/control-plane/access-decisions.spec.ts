import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AccessAnswerDocument, AccessChange } from '@palisade/domain';
import { settled, VirtualClock } from '../../test/support/virtual-clock.js';
import { AccessDecisions } from './access-decisions.js';
import { AccessDeniedError, AccessUnknownError } from './control-plane.errors.js';
import type { AccessQuestion } from './known-access.js';

const LEASE_MS = 10_000;
const ADA = 'user:scim:okta:ada';
const NOTHING: AccessChange = { users: [], namespaces: [], providers: [] };
const YES: AccessAnswerDocument = {
  allowed: true,
  user: ADA,
  because: { groups: ['group:scim:okta:eng'], relation: 'write' },
};
const NO: AccessAnswerDocument = { allowed: false, reason: 'inactive_user' };

let clock: VirtualClock;
let decisions: AccessDecisions;
/** Questions of each request. */
let asked: (readonly AccessQuestion[])[];
let answer: (question: AccessQuestion) => AccessAnswerDocument | Promise<AccessAnswerDocument>;
let held: AccessQuestion[];
let ended: [string, Error][];
let cutOffs: (number | undefined)[];

beforeEach(() => {
  clock = new VirtualClock();
  asked = [];
  answer = () => YES;
  held = [];
  ended = [];
  cutOffs = [];
  decisions = createDecisions();
});

afterEach(() => decisions.close());

function createDecisions(options: { readonly maxKnown?: number } = {}): AccessDecisions {
  const created = new AccessDecisions({
    clock,
    leaseMs: LEASE_MS,
    ask: (questions) => {
      asked.push(questions);
      return Promise.all(questions.map((question) => answer(question)));
    },
    onCutOff: (seconds) => cutOffs.push(seconds),
    ...options,
  });
  created.addHolder({
    heldAccess: () => held,
    endAccess: (reasonFor) => {
      for (const question of held) {
        const reason = reasonFor(question);
        if (reason !== undefined) {
          ended.push([question.user, reason]);
        }
      }
    },
  });
  return created;
}

function question(overrides: Partial<AccessQuestion> = {}): AccessQuestion {
  return { user: ADA, namespace: 'acme', relation: 'read', ...overrides };
}

/** What an `access` event says, and everything that follows at once. */
async function hear(change: Partial<AccessChange> = {}): Promise<void> {
  decisions.change({ ...NOTHING, ...change });
  await settled();
  await settled();
}

describe(AccessDecisions.name, () => {
  it('asks once, and says why', async () => {
    await expect(decisions.require(question())).resolves.toEqual(YES.because);
    await decisions.require(question());
    expect(asked).toEqual([[question()]]);
  });

  it('asks in one request what is asked at the same time, each question once', async () => {
    const others = [question(), question({ relation: 'write' }), question()];
    await Promise.all(others.map((each) => decisions.decide(each)));
    expect(asked).toEqual([[question(), question({ relation: 'write' })]]);
  });

  it('asks at most 1,000 questions in a request', async () => {
    const many = Array.from({ length: 2500 }, (_, at) => question({ user: `${ADA}-${at}` }));
    await Promise.all(many.map((each) => decisions.decide(each)));
    expect(asked.map(({ length }) => length)).toEqual([1000, 1000, 500]);
  });

  it('says why a user is denied, and asks again after five seconds', async () => {
    await hear();
    answer = () => NO;
    const denial = decisions.require(question());
    await expect(denial).rejects.toThrow(`user "${ADA}" may not read in namespace "acme": inactive_user`);
    await expect(denial).rejects.toBeInstanceOf(AccessDeniedError);
    answer = () => YES;
    await clock.advance(4999);
    await expect(decisions.decide(question())).resolves.toMatchObject({ allowed: false });
    await clock.advance(1);
    await expect(decisions.decide(question())).resolves.toMatchObject({ allowed: true });
  });

  it.each([
    ['nothing', ''],
    ['an external id without a provider', 'ada'],
    ['a group', 'group:scim:okta:eng'],
    ['control characters', 'user:scim:okta:\u0000'],
    ['more than any user has', 'x'.repeat(10_000)],
  ])(
    'denies a user whose name is %s, and does not ask: the question would be rejected, and those beside it too',
    async (_, user) => {
      await expect(decisions.decide(question({ user }))).resolves.toEqual({ allowed: false, reason: 'unknown_user' });
      expect(asked).toEqual([]);
    },
  );

  it('allows nothing when it cannot ask, and asks for the next request', async () => {
    answer = () => Promise.reject(new Error('no route to host'));
    await expect(decisions.decide(question())).rejects.toThrow(AccessUnknownError);
    answer = () => YES;
    await expect(decisions.decide(question())).resolves.toMatchObject({ allowed: true });
  });

  it('keeps a bounded number of answers', async () => {
    decisions.close();
    decisions = createDecisions({ maxKnown: 2 });
    for (const namespace of ['a', 'b', 'c', 'd']) {
      await decisions.decide(question({ namespace }));
    }
    expect(decisions.snapshot().known).toBe(2);
    await hear({ everything: true });
    expect(asked.at(-1)?.map(({ namespace }) => namespace)).toEqual(['c', 'd']);
  });

  describe('when something changes', () => {
    beforeEach(async () => {
      await hear();
    });

    it.each<[string, AccessQuestion, Partial<AccessChange>]>([
      ['the user', question(), { users: [ADA] }],
      ['the user, who was named by an external id', question({ user: 'ada', provider: 'okta' }), { users: [ADA] }],
      ['the namespace', question(), { namespaces: ['acme'] }],
      ['the provider', question(), { providers: ['okta'] }],
      ['everything', question(), { everything: true }],
    ])('asks again what concerns %s, and ends what is not allowed any more', async (_, concerned, change) => {
      held = [concerned, question({ user: 'user:scim:entra:bob', namespace: 'bolt' })];
      await decisions.decide(concerned);
      answer = ({ namespace }) => (namespace === 'acme' ? NO : YES);
      await hear(change);
      expect(ended).toEqual([[concerned.user, expect.any(AccessDeniedError)]]);
      await expect(decisions.decide(concerned)).resolves.toMatchObject(NO);
    });

    it('asks again about a user whose external id is not the one of their identifier', async () => {
      const concerned = question({ user: 'lovelace', provider: 'okta' });
      held = [concerned];
      await decisions.decide(concerned);
      answer = () => NO;
      await hear({ users: [ADA] });
      expect(ended).toEqual([['lovelace', expect.any(AccessDeniedError)]]);
    });

    it('asks again about somebody who is held and of whom it is forgotten who they are', async () => {
      held = [question({ user: 'lovelace', provider: 'okta' })];
      answer = () => NO;
      await hear({ users: [ADA] });
      expect(ended).toEqual([['lovelace', expect.any(AccessDeniedError)]]);
    });

    it('leaves what it does not concern', async () => {
      await decisions.decide(question());
      await hear({ users: ['user:scim:okta:bob'], namespaces: ['bolt'], providers: ['entra'] });
      expect(asked).toHaveLength(1);
    });

    it('asks also about what is held although its answer is forgotten', async () => {
      held = [question()];
      answer = () => NO;
      await hear({ users: [ADA] });
      expect(ended).toEqual([[ADA, expect.any(AccessDeniedError)]]);
    });

    it('[a user who may have lost access] has new work wait for the new answer', async () => {
      await decisions.decide(question());
      const { promise, resolve } = Promise.withResolvers<AccessAnswerDocument>();
      answer = () => promise;
      await hear({ users: [ADA] });
      const decision = decisions.decide(question());
      resolve(NO);
      await expect(decision).resolves.toMatchObject(NO);
    });

    it('does not take an answer that was on its way when it changed', async () => {
      const { promise, resolve } = Promise.withResolvers<AccessAnswerDocument>();
      answer = () => promise;
      const decision = decisions.decide(question());
      await settled();
      answer = () => NO;
      await hear({ users: [ADA] });
      resolve(YES);
      await expect(decision).resolves.toMatchObject(NO);
      await expect(decisions.decide(question())).resolves.toMatchObject(NO);
    });

    it('asks until there is an answer, while nothing new is allowed', async () => {
      held = [question()];
      await decisions.decide(question());
      answer = () => Promise.reject(new Error('reset'));
      await hear({ users: [ADA] });
      await expect(decisions.decide(question())).rejects.toThrow('reset');
      answer = () => NO;
      await clock.advance(200);
      await settled();
      expect(ended).toEqual([[ADA, expect.any(AccessDeniedError)]]);
    });

    it('ends what cannot be asked about for the lease, although the stream lives', async () => {
      held = [question()];
      await decisions.decide(question());
      answer = () => Promise.reject(new Error('reset'));
      await hear({ users: [ADA] });
      for (let second = 0; second < 13; second++) {
        await clock.advance(1000);
        await hear();
      }
      expect(ended[0]).toEqual([ADA, expect.any(AccessUnknownError)]);
      expect(cutOffs).toEqual([]);
    });
  });

  describe('when nothing is confirmed', () => {
    beforeEach(async () => {
      held = [question()];
      await hear();
      await decisions.decide(question());
    });

    it('goes by what it knows for a while', async () => {
      await clock.advance(LEASE_MS * 0.9 - 1);
      await expect(decisions.decide(question())).resolves.toMatchObject({ allowed: true });
      expect(ended).toEqual([]);
    });

    it('[no confirmation of access for 90 % of the lease] ends what is held, allows nothing, and says so', async () => {
      await clock.advance(LEASE_MS * 0.9);
      expect(ended).toEqual([[ADA, expect.any(AccessUnknownError)]]);
      await expect(decisions.decide(question())).rejects.toThrow('the control plane has confirmed nothing for 9 s');
      expect([cutOffs, decisions.snapshot().cutOffSeconds]).toEqual([[9], 9]);
    });

    it('goes on when a stream confirms again, and asks again', async () => {
      await clock.advance(LEASE_MS);
      decisions.startStream();
      held = [];
      await hear();
      await expect(decisions.decide(question())).resolves.toMatchObject({ allowed: true });
      expect([asked.length, cutOffs]).toEqual([2, [9, undefined]]);
    });

    it('does not let a process go on that was stopped meanwhile, before its timers fire', async () => {
      const stopped = new VirtualClock();
      const silent = new AccessDecisions({
        clock: { ...clockOf(stopped), setBackgroundTimer: () => ({ cancel: () => {} }) },
        leaseMs: LEASE_MS,
        ask: async () => [YES],
      });
      await silent.decide(question());
      await stopped.advance(LEASE_MS);
      await expect(silent.decide(question())).rejects.toThrow(AccessUnknownError);
    });
  });

  describe('when a stream opens', () => {
    beforeEach(async () => {
      await hear();
      held = [question()];
      await decisions.decide(question());
      decisions.startStream();
    });

    it('asks again about everything, and ends what was lost while there was none', async () => {
      answer = () => NO;
      await hear();
      expect(ended).toEqual([[ADA, expect.any(AccessDeniedError)]]);
    });

    it('does not count as confirmed before that is answered', async () => {
      answer = () => Promise.reject(new Error('reset'));
      for (let second = 0; second < 10; second++) {
        await hear();
        await clock.advance(1000);
      }
      expect(cutOffs).toEqual([9]);
    });
  });
});

function clockOf(clock: VirtualClock) {
  return {
    now: () => clock.now(),
    date: () => clock.date(),
    setTimer: clock.setTimer.bind(clock),
    setBackgroundTimer: clock.setBackgroundTimer.bind(clock),
  };
}
