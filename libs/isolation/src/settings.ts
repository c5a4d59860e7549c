/**
 * `@palisade/isolation/settings`: the settings as a schema, without Nest and without drivers, for programs that hand them
 * on or have settings of their own.
 */
export { InvalidSettingsError } from './invalid-settings.error.js';
export { parseIsolationSettings, readIsolationSettings } from './settings/parse-isolation-settings.js';
export {
  describeIssues,
  expectedText,
  formatPath,
  formatProblem,
  showText,
  showValue,
  valueAt,
  type Path,
  type Problem,
} from './settings/problems.js';
export {
  keyNotes,
  keysOf,
  list,
  maxItemsOf,
  named,
  optional,
  parsed,
  present,
  required,
  section,
  sectionsOf,
  shorthandOf,
  structureOf,
  tolerant,
  value,
  valueNotes,
  variants,
  withDefault,
  withoutWrappers,
  type KeyNotes,
  type SectionValue,
  type ValueNotes,
} from './settings/schema.js';
export {
  AUDIT_KEYS,
  BACKEND_KEYS,
  CONNECTIONS,
  NAMESPACE_RESOURCES,
  RESOURCE_LIMITS,
  SESSION_MANAGEMENT,
  USAGE,
} from './settings/sections.js';
export {
  choice,
  CORES,
  duration,
  enumerate,
  FLAG,
  formatDurationMs,
  identifier,
  integer,
  LABEL,
  LABEL_TEXT,
  matching,
  memory,
  NAMESPACE,
  NAMESPACE_PATTERN,
  PERCENT,
  POOL_NAME,
  TENANT_ID,
  text,
  textOf,
  wholeSeconds,
} from './settings/values.js';
