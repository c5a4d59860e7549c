import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { settled, VirtualClock } from '../../test/support/virtual-clock.js';
import { AuditTrail } from './audit-trail.js';
import type { SessionEvent } from './session-event.js';
import { createSessionId } from './session-id.js';

function created(clientId: string): SessionEvent {
  return {
    event: 'session_created',
    session_id: createSessionId(),
    client_id: clientId,
    namespace: parseNamespaceId('acme'),
    timestamp: '2026-01-01T00:00:00.000Z',
  };
}

function createTrail({ isMandatory = true, failures = 0 } = {}) {
  const clock = new VirtualClock();
  const batches: string[][] = [];
  let failuresLeft = failures;
  const sink = {
    async write(events: readonly SessionEvent[]) {
      if (failuresLeft-- > 0) {
        throw new Error('disk full');
      }
      batches.push(events.map((event) => ('client_id' in event ? event.client_id : event.event)));
    },
  };
  const settings = { logsSessions: true, logsConnections: true, isMandatory };
  return { clock, batches, trail: new AuditTrail({ sink, settings, clock }) };
}

describe(AuditTrail.name, () => {
  it('writes together what has come while it was writing', async () => {
    const { batches, trail } = createTrail();
    for (const clientId of ['a', 'b', 'c']) {
      trail.record(created(clientId));
    }
    await trail.flush();
    expect(batches).toEqual([['a'], ['b', 'c']]);
  });

  it('writes again, in order, what could not be written', async () => {
    const { clock, batches, trail } = createTrail({ failures: 2 });
    trail.record(created('a'));
    await settled();
    trail.record(created('b'));
    await clock.advance(100 + 200);
    expect(batches).toEqual([['a', 'b']]);
  });

  it('drops the oldest optional events when very many wait', async () => {
    const { trail } = createTrail({ isMandatory: false, failures: 1000 });
    for (let count = 0; count < 10_001; count++) {
      trail.record(created('a'));
    }
    await settled();
    expect([trail.queued, trail.dropped]).toEqual([10_000, 1]);
  });

  it('flushes at once when nothing waits', async () => {
    const { trail } = createTrail();
    await expect(trail.flush()).resolves.toBeUndefined();
  });
});
