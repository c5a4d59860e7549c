export interface UsageSettings {
  /** Whether CPU time is told by namespace, which costs about 1 % of it. */
  readonly measuresCpu: boolean;
  /** Namespaces whose usage is kept; beyond that the one that has been quiet for longest is forgotten. */
  readonly maxNamespaces: number;
}
