import type { ActionQuery, ChainedActionRecord } from '@palisade/domain';
import type { VerifiedChain } from '../chain/chain-verification.js';
import { toRecordJson } from '../record-json.js';
import type { AuditPage, AuditQueryParameters, ChainVerificationResponse } from './audit.dto.js';

export function toActionQuery({ tenant_id: tenantId, ...query }: AuditQueryParameters): ActionQuery {
  return { ...query, tenantId };
}

export function toAuditPage(records: readonly ChainedActionRecord[], { after }: { readonly after: number }): AuditPage {
  return { items: records.map(toRecordJson), next_after: records.at(-1)?.sequence ?? after };
}

export function toChainVerificationResponse(chain: VerifiedChain): ChainVerificationResponse {
  const { isValid, records, first, last, brokenAt, reason } = chain;
  return { valid: isValid, records, first, last, broken_at: brokenAt, reason };
}
