import type { RecordedAuditEvent } from '@palisade/domain';
import type { AuditEventResponse, AuditPage } from './audit.dto.js';

export function toAuditPage(events: readonly RecordedAuditEvent[], { after }: { readonly after: number }): AuditPage {
  return { items: events.map(toAuditEventResponse), next_after: events.at(-1)?.sequence ?? after };
}

function toAuditEventResponse({ at, requestId, ...event }: RecordedAuditEvent): AuditEventResponse {
  const { sequence, actor, action, resource, result, provider, namespace, detail } = event;
  return {
    sequence,
    at: at.toISOString(),
    actor,
    action,
    resource,
    result,
    provider,
    namespace,
    request_id: requestId,
    detail,
  };
}
