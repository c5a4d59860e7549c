export interface ActionAuditSettings {
  /** Whether each piece of work leaves an action record. */
  readonly logsActions: boolean;
  /** Whether work is refused while records cannot be written. */
  readonly isMandatory: boolean;
}
