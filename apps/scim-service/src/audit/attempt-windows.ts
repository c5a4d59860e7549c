import type { AuditEvent } from '@palisade/domain';

const MAX_ATTEMPTS = 1000;
const WINDOW_MS = 60_000;

interface Entry {
  readonly event: AuditEvent;
  isCollected: boolean;
  repeats: number;
}

/**
 * Keeps repeated events from flooding the audit trail: the first of its kind is passed on, those that follow within a
 * minute are counted and passed on as one when the minute is over. At most 1000 kinds are kept apart, what is beyond
 * is only counted.
 */
export class AttemptWindows {
  private readonly entries = new Map<string, Entry>();
  private uncounted = 0;

  /** @param kind events of the same kind count as repeats of each other */
  add(kind: string, event: AuditEvent): void {
    const known = this.entries.get(kind);
    if (known !== undefined) {
      known.repeats += 1;
    } else if (this.entries.size < MAX_ATTEMPTS) {
      this.entries.set(kind, { event, isCollected: false, repeats: 0 });
    } else {
      this.uncounted += 1;
    }
  }

  /** What has become due since the last call. */
  collect(at: Date): AuditEvent[] {
    return this.take(at, (event) => at.getTime() - event.at.getTime() >= WINDOW_MS);
  }

  /** Everything, due or not. */
  drain(at: Date): AuditEvent[] {
    return this.take(at, () => true);
  }

  private take(at: Date, isOver: (event: AuditEvent) => boolean): AuditEvent[] {
    const events: AuditEvent[] = [];
    for (const [kind, entry] of this.entries) {
      if (!entry.isCollected) {
        entry.isCollected = true;
        events.push(entry.event);
      }
      if (isOver(entry.event)) {
        this.entries.delete(kind);
        events.push(...repeatsOf(entry, at));
      }
    }
    if (this.uncounted > 0 && this.entries.size < MAX_ATTEMPTS) {
      events.push(overflowOf(this.uncounted, at));
      this.uncounted = 0;
    }
    return events;
  }
}

function repeatsOf({ event, repeats }: Entry, at: Date): AuditEvent[] {
  return repeats === 0 ? [] : [{ ...event, at, requestId: undefined, detail: { ...event.detail, repeats } }];
}

function overflowOf(repeats: number, at: Date): AuditEvent {
  const detail = { reason: 'too many different attempts to record each', repeats };
  return { at, actor: 'anonymous', action: 'authentication', resource: 'various', result: 'denied', detail };
}
