/** Who did what, to what of which tenant, and how it ended: document 2's action audit record. Never holds secrets. */
export interface ActionRecord {
  readonly timestamp: Date;
  readonly tenantId?: string;
  readonly namespace?: string;
  /** UUID. */
  readonly sessionId?: string;
  /** An e-mail address, or the name of the credential. */
  readonly userId: string;
  /** Dotted: `tenant.register`, `loadbalancer.reload`, `postgres.query`. */
  readonly action: string;
  readonly resource: string;
  /** `success`, `denied` or `failure`. */
  readonly result: 'success' | 'denied' | 'failure';
  readonly rowsAccessed?: number;
  readonly piiAccessed?: boolean;
  /** What else an auditor needs: a hash, a version, a reason. */
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>;
}

/** A record with its place in the chain. */
export interface ChainedActionRecord extends ActionRecord {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** Of the record before; of the first one 64 zeros. SHA-256 in hexadecimal. */
  readonly previousHash: string;
  /** SHA-256 over `previousHash` and this record in its canonical form. */
  readonly hash: string;
}
