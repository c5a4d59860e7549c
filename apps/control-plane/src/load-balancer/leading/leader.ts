/** On whose authority a load balancer is changed. */
export interface Leader {
  /** A later leader has a larger one. */
  readonly epoch: number;

  /** Whether nobody else can lead yet, by this replica's clock. */
  isInTerm(): boolean;

  /** Whether whoever elects leaders, asked now, says that it leads. */
  isConfirmed(): Promise<boolean>;
}

/** Where nobody is elected, as there is only one. */
export const SOLE_LEADER: Leader = { epoch: 0, isInTerm: () => true, isConfirmed: async () => true };
