import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pause } from '@palisade/async';
import { ClusterAccess } from './cluster-access.js';
import type { Fields } from './objects.js';
import { KubernetesApi, type ApiRequest, type WatchEvent, type WatchRequest } from './kubernetes-api.js';
import { KubernetesError } from './kubernetes.errors.js';
import { ResourceWatch, type WatchTiming } from './resource-watch.js';

type Watch = (request: WatchRequest, signal: AbortSignal) => AsyncGenerator<WatchEvent>;

/** Answers as it is told, and notes when it was asked. */
class ScriptedApi extends KubernetesApi {
  readonly asked: string[] = [];
  list: () => Fields = () => listOf('1', 'a');
  follow: Watch = quiet;

  constructor() {
    super(new ClusterAccess());
  }

  override async request(_: ApiRequest): Promise<Fields> {
    this.asked.push(`list at ${Date.now()}`);
    return this.list();
  }

  override watch(request: WatchRequest, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    this.asked.push(`watch from ${request.query['resourceVersion']} at ${Date.now()}`);
    return this.follow(request, signal);
  }
}

function listOf(version: string, ...names: string[]): Fields {
  return { kind: 'PodList', metadata: { resourceVersion: version }, items: names.map((name) => objectOf(name, '1')) };
}

function objectOf(name: string, version: string): Fields {
  return { metadata: { name, uid: `uid-${name}`, resourceVersion: version } };
}

const NO_EVENTS: readonly WatchEvent[] = [];

/** Says nothing for as long as it was asked to. */
async function* quiet({ lengthSeconds, onOpen }: WatchRequest, signal: AbortSignal): AsyncGenerator<WatchEvent> {
  onOpen();
  await pause(lengthSeconds * 1000, signal);
  signal.throwIfAborted();
  yield* NO_EVENTS;
}

function failing(error: KubernetesError): Watch {
  return async function* fail(): AsyncGenerator<WatchEvent> {
    yield* NO_EVENTS;
    throw error;
  };
}

const elapse = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe(ResourceWatch.name, () => {
  let api: ScriptedApi;
  let term: AbortController;
  let ended: Promise<void>;
  let events: string[];
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    Logger.overrideLogger(false);
    api = new ScriptedApi();
    term = new AbortController();
    events = [];
  });
  afterEach(async () => {
    term.abort();
    await elapse(0);
    await ended;
    jest.useRealTimers();
  });

  function start(timing: Partial<WatchTiming> = {}): ResourceWatch<string> {
    const resource = { label: 'pods', path: '/pods', read: ({ name }: { readonly name: string }) => name };
    const listener = { listed: () => events.push('listed'), changed: (name: string) => events.push(name) };
    // With chance at 0.5, lengths are what the timing says, and pauses three quarters of the full ones.
    const watch = new ResourceWatch(api, resource, listener, { timing, now: Date.now, random: () => 0.5 });
    ended = watch.run(term.signal);
    return watch;
  }

  it('follows in watches of half a minute, and reads all of them again after ten', async () => {
    start();
    await elapse(660_000);
    expect(api.asked.filter((each) => each.startsWith('list'))).toEqual(['list at 0', 'list at 600000']);
    expect(api.asked.filter((each) => each.startsWith('watch'))).toHaveLength(23);
    expect(events).toEqual(['listed', 'listed']);
  });

  it('asks less and less often for what fails', async () => {
    api.list = () => {
      throw new KubernetesError('connect ECONNREFUSED');
    };
    start({ retryMinMs: 1000, retryMaxMs: 4000 });
    await elapse(10_000);
    expect(api.asked).toEqual(['list at 0', 'list at 750', 'list at 2250', 'list at 5250', 'list at 8250']);
  });

  it('waits as long as the API server asks for', async () => {
    api.list = () => {
      throw new KubernetesError('429', { status: 429, retryAfterMs: 7000 });
    };
    start();
    await elapse(14_000);
    expect(api.asked).toEqual(['list at 0', 'list at 7000', 'list at 14000']);
  });

  it('is quick again after an outage, although a state has expired', async () => {
    const { list } = api;
    api.list = () => {
      throw new KubernetesError('connect ECONNREFUSED');
    };
    const scripts = [failing(new KubernetesError('410: too old', { status: 410 }))];
    api.follow = (request, signal) => (scripts.shift() ?? quiet)(request, signal);
    const watch = start();
    await elapse(100_000);
    api.list = list;
    await elapse(10_000);
    const [recovered, again] = api.asked.slice(-4).filter((each) => each.startsWith('list'));
    expect(Number(again?.split(' ').at(-1)) - Number(recovered?.split(' ').at(-1))).toBe(375);
    expect(watch.health.snapshot.state).toBe('following');
  });

  it('is patient with a server that ends every watch at once', async () => {
    api.follow = async function* end({ onOpen }) {
      onOpen();
      yield* NO_EVENTS;
    };
    start();
    await elapse(120_000);
    expect(api.asked.length).toBeLessThan(25);
  });

  it('is patient with a server whose states have always expired', async () => {
    api.follow = failing(new KubernetesError('410: too old', { status: 410 }));
    const watch = start();
    await elapse(120_000);
    expect(api.asked.length).toBeLessThan(45);
    expect(watch.health.interruptions).toBeGreaterThan(5);
  });

  it('asks twice before it believes that there is nothing', async () => {
    api.list = () => listOf('1');
    const watch = start({ confirmPauseMs: 2000 });
    await elapse(1999);
    expect([watch.isComplete, events]).toEqual([false, []]);
    await elapse(1);
    expect([watch.isComplete, events]).toEqual([true, ['listed']]);
  });

  it('does not believe in nothing when the second answer fails', async () => {
    const watch = start({ relistIntervalMs: 60_000 });
    await elapse(0);
    const answers = [() => listOf('2'), () => listOf('3', 'a')];
    api.list = () => {
      const [answer] = answers.splice(0, 1);
      if (answer === undefined) {
        throw new KubernetesError('500', { status: 500 });
      }
      return answer();
    };
    await elapse(70_000);
    expect([...watch.objects.keys()]).toEqual(['a']);
  });

  it('goes on from the state of the last event, or of a bookmark', async () => {
    const scripts: Watch[] = [
      async function* events({ onOpen }) {
        onOpen();
        yield { type: 'ADDED', object: objectOf('b', '7') };
        throw new KubernetesError('aborted');
      },
      async function* bookmark({ onOpen }) {
        onOpen();
        yield { type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } };
        throw new KubernetesError('aborted');
      },
    ];
    api.follow = (request, signal) => (scripts.shift() ?? quiet)(request, signal);
    start();
    await elapse(5000);
    expect(api.asked.map((each) => each.replace(/ at.*/, ''))).toEqual([
      'list',
      'watch from 1',
      'watch from 7',
      'watch from 9',
    ]);
    expect(events).toEqual(['listed', 'b']);
  });

  it('tells how long ago the API server last answered', async () => {
    const watch = start();
    await elapse(29_000);
    expect(watch.health.stalenessMs()).toBe(29_000);
    await elapse(2000);
    expect(watch.health.stalenessMs()).toBe(1000);
    api.list = api.follow = () => {
      throw new KubernetesError('connect ECONNREFUSED');
    };
    await elapse(600_000);
    expect(watch.health.snapshot).toEqual({
      state: 'failing',
      error: 'connect ECONNREFUSED',
      lastContactAt: new Date(60_000),
    });
    expect(watch.health.stalenessMs()).toBe(571_000);
  });

  it('tells nothing of the kind while it does not run', async () => {
    const watch = start();
    term.abort();
    await elapse(0);
    await ended;
    expect([watch.health.stalenessMs(), watch.health.snapshot]).toEqual([undefined, { state: 'stopped' }]);
  });

  it('starts from the beginning when it is run again', async () => {
    const watch = start();
    await elapse(0);
    term.abort();
    await elapse(0);
    await ended;
    term = new AbortController();
    api.list = () => {
      throw new KubernetesError('connect ECONNREFUSED');
    };
    ended = watch.run(term.signal);
    await elapse(0);
    expect([watch.isComplete, watch.objects.size]).toEqual([false, 0]);
  });

  it('does not go on after a defect', async () => {
    api.follow = () => {
      throw new TypeError('defect');
    };
    start();
    const failure = expect(ended).rejects.toThrow('defect');
    await elapse(0);
    await failure;
    ended = Promise.resolve();
  });
});
