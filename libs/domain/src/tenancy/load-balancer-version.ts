/** What happened when a configuration was applied, or why it was not. */
export interface LoadBalancerVersion {
  /** UUIDv7. */
  readonly id: string;
  /** Of the registry that it was rendered from. */
  readonly revision: number;
  /** Of the leader that made it; unknown of versions that are older than this field. */
  readonly epoch?: number;
  /** SHA-256 of everything that was rendered, in hexadecimal; empty when nothing could be. */
  readonly hash: string;
  readonly type: 'haproxy' | 'nginx' | 'envoy';
  /** `maps` and `servers` are changes at runtime, `reload` starts new workers, `none` had nothing to do. */
  readonly method: 'none' | 'maps' | 'servers' | 'reload';
  readonly result: 'applied' | 'unchanged' | 'rejected' | 'rolled_back' | 'failed';
  /** Why it was not applied. */
  readonly reason?: string;
  readonly actor: string;
  readonly at: Date;
  readonly durationMs: number;
}
