import { describe, expect, it } from '@jest/globals';
import type { AuditEvent } from '@palisade/domain';
import { AuditLog } from './audit-log.js';

function event(resource: string): AuditEvent {
  return { at: new Date('2026-01-01T00:00:00Z'), actor: 'test', action: 'user.create', resource, result: 'success' };
}

describe(AuditLog.name, () => {
  it('forgets the oldest events beyond its bound', () => {
    const log = new AuditLog(3);

    for (const resource of ['a', 'b', 'c', 'd', 'e']) {
      log.append(event(resource));
    }

    expect(log.list({ limit: 10 }).map(({ sequence, resource }) => [sequence, resource])).toEqual([
      [3, 'c'],
      [4, 'd'],
      [5, 'e'],
    ]);
  });

  it('reads on from a forgotten sequence number at the oldest event it has', () => {
    const log = new AuditLog(2);

    for (const resource of ['a', 'b', 'c', 'd']) {
      log.append(event(resource));
    }

    expect(log.list({ after: 1, limit: 10 }).map(({ resource }) => resource)).toEqual(['c', 'd']);
  });

  it('gives copies, so that a reader cannot change the log', () => {
    const log = new AuditLog(2);
    log.append(event('a'));

    log.list({ limit: 1 })[0]?.at.setTime(0);

    expect(log.list({ limit: 1 })[0]?.at).toEqual(new Date('2026-01-01T00:00:00Z'));
  });
});
