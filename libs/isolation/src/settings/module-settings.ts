import type { IsolationOptions } from '../isolation-options.js';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import type { IsolationSettings } from '../isolation-settings.js';
import { parseIsolationSettings } from './parse-isolation-settings.js';

/**
 * The settings of a module, whose backends are those that have a driver.
 *
 * @throws {InvalidSettingsError}
 */
export function readModuleSettings({ settings: input, backends }: IsolationOptions): IsolationSettings {
  const settings = parseIsolationSettings(input);
  const configured = new Set(settings.pools.keys());
  const available = new Set(Object.keys(backends));
  const problems = [
    ...[...configured.difference(available)].map((name) => `connection_pools.${name}: expected a driver for it`),
    ...[...available.difference(configured)].map((name) => `connection_pools.${name}: is required, as it has a driver`),
  ];
  if (problems.length > 0) {
    throw new InvalidSettingsError(problems);
  }
  return settings;
}
