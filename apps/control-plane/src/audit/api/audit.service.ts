import { Injectable } from '@nestjs/common';
import { Store, type ActionQuery, type ChainedActionRecord } from '@palisade/domain';
import type { AdminPrincipal } from '@palisade/guards';
import { ChainVerification, type VerifiedChain } from '../chain/chain-verification.js';

@Injectable()
export class AuditService {
  constructor(
    private readonly store: Store,
    private readonly verification: ChainVerification,
  ) {}

  /** Records in order of sequence; admins of some namespaces see those of their namespaces only. */
  list(admin: AdminPrincipal, query: Omit<ActionQuery, 'namespaces'>): Promise<ChainedActionRecord[]> {
    const namespaces = admin.namespaces === '*' ? undefined : admin.namespaces;
    return this.store.actions.list({ ...query, namespaces });
  }

  verify(): Promise<VerifiedChain> {
    return this.verification.verify();
  }
}
