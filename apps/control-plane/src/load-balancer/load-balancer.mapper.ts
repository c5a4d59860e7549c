import type { LoadBalancerVersion } from '@palisade/domain';
import { InvalidRequestError, decodeCursor, toPage, type PageParameters } from '@palisade/platform';
import { validate as isUuid } from 'uuid';
import type { LoadBalancerStatus } from './load-balancer.js';
import type { ChangePreview, FilePreview } from './change-preview.js';
import type {
  FilePreviewResponse,
  LoadBalancerPreviewResponse,
  LoadBalancerStatusResponse,
  LoadBalancerVersionPage,
  LoadBalancerVersionResponse,
} from './load-balancer.dto.js';

export function toVersionResponse(version: LoadBalancerVersion): LoadBalancerVersionResponse {
  const { id, revision, epoch, hash, type, method, result, reason, actor, at, durationMs } = version;
  const changed = result === 'applied';
  return {
    id,
    version: revision,
    epoch,
    hash,
    type,
    changed,
    method,
    result,
    reason,
    actor,
    at: at.toISOString(),
    duration_ms: durationMs,
  };
}

/** Asks for one more than the page shows, to see whether there are more. @throws {InvalidRequestError} */
export function toVersionQuery({ cursor, limit }: PageParameters): { before?: string; limit: number } {
  const [before] = cursor === undefined ? [] : decodeCursor(cursor, 1);
  if (before !== undefined && !isUuid(before)) {
    throw new InvalidRequestError('cursor', 'the next_cursor of an earlier page');
  }
  return { before, limit: limit + 1 };
}

export function toVersionPage(
  versions: readonly LoadBalancerVersion[],
  { limit }: PageParameters,
): LoadBalancerVersionPage {
  return toPage(versions, limit, ({ id }) => [id], toVersionResponse);
}

export function toPreviewResponse({ revision, hash, method, files }: ChangePreview): LoadBalancerPreviewResponse {
  return { version: revision, hash, method, files: files.map(toFilePreviewResponse) };
}

function toFilePreviewResponse({
  path,
  change,
  bytes,
  hash,
  added,
  removed,
  sample,
}: FilePreview): FilePreviewResponse {
  return { path, change, bytes, hash, lines_added: added, lines_removed: removed, sample };
}

export function toStatusResponse(status: LoadBalancerStatus): LoadBalancerStatusResponse {
  const { type, isBusy, lastVersion, lastDrift, unresolved } = status;
  return {
    type,
    busy: isBusy,
    unresolved,
    ...(lastVersion !== undefined && { last_version: toVersionResponse(lastVersion) }),
    ...(lastDrift !== undefined && { last_drift: { at: lastDrift.at.toISOString(), drifts: lastDrift.drifts } }),
  };
}
