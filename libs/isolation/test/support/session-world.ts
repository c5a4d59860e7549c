import { parseNamespaceId } from '@palisade/domain';
import type { SessionEvent } from '../../src/sessions/session-event.js';
import { type OpenSessionOptions, SessionManager } from '../../src/sessions/session-manager.js';
import type { Session } from '../../src/sessions/session.js';
import type { SessionOwner } from '../../src/sessions/session-budget.js';
import { FakeDriver } from './fake-driver.js';
import { sessionBackend, sessionSettings, type SessionSettingsInput } from './session-settings.js';
import { VirtualClock } from './virtual-clock.js';

export const ALICE: SessionOwner = { namespace: parseNamespaceId('acme'), clientId: 'alice' };

/** A session manager over two fake drivers under a virtual clock, with an audit sink that fails when told to. */
export class SessionWorld {
  readonly clock = new VirtualClock();
  readonly driver = new FakeDriver({ clock: this.clock });
  readonly other = new FakeDriver({ clock: this.clock });
  readonly events: SessionEvent[] = [];
  readonly manager: SessionManager;
  sinkFailure: unknown = undefined;

  constructor({ maxTotal, ...settings }: SessionSettingsInput & { readonly maxTotal?: number } = {}) {
    const { clock } = this;
    this.manager = new SessionManager({
      settings: sessionSettings(settings),
      backends: [
        sessionBackend({ name: 'fake', driver: this.driver, clock, ...(maxTotal !== undefined && { maxTotal }) }),
        sessionBackend({ name: 'other', driver: this.other, clock }),
      ],
      sink: { write: (events) => this.#write(events) },
      clock: this.clock,
    });
  }

  /** Names of the events so far. */
  get eventNames(): string[] {
    return this.events.map(({ event }) => event);
  }

  get lastEvent(): SessionEvent | undefined {
    return this.events.at(-1);
  }

  /** Opens a session, letting the time pass that this takes. */
  async open(owner: SessionOwner = ALICE, options: OpenSessionOptions = {}): Promise<Session> {
    const opening = this.manager.open(owner, options);
    opening.catch(() => {}); // the caller sees it
    await this.clock.advance(10);
    return opening;
  }

  /** Lets time pass for something that goes on. */
  async after<T>(work: Promise<T>, forMs = 10): Promise<T> {
    work.catch(() => {}); // the caller sees it
    await this.clock.advance(forMs);
    return work;
  }

  async #write(events: readonly SessionEvent[]): Promise<void> {
    if (this.sinkFailure !== undefined) {
      throw this.sinkFailure;
    }
    this.events.push(...events);
  }
}
