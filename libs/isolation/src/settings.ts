/** `@palisade/isolation/settings`: the check of settings, without Nest and without drivers, for programs that only hand them on. */
export { InvalidSettingsError } from './invalid-settings.error.js';
export { parseIsolationSettings } from './settings/parse-isolation-settings.js';
