import {
  loadVariables,
  strongTokenInProduction,
  type Environment,
  type HostPort,
  type LogLevel,
} from '@palisade/platform';
import { CONTROL_PLANE_VARIABLES } from './control-plane.variables.js';

/** What the service runs with; made once, before Nest starts. */
export abstract class ControlPlaneConfig {
  abstract readonly mode: 'development' | 'test' | 'production';
  abstract readonly listen: HostPort;
  /** Path of the YAML file. */
  abstract readonly configFile?: string;
  abstract readonly adminToken?: string;
  abstract readonly dataDirectory: string;
  abstract readonly logLevel: LogLevel;
  abstract readonly shutdownDelayMs: number;
  abstract readonly shutdownGraceMs: number;
  /** What the operator should be told about the environment. */
  abstract readonly warnings: readonly string[];
}

/** @throws {ConfigurationError} with all mistakes at once, by variable name and without secret values */
export function loadConfig(environment: Environment = process.env): ControlPlaneConfig {
  return loadVariables(CONTROL_PLANE_VARIABLES, environment, {
    rules: [strongTokenInProduction(CONTROL_PLANE_VARIABLES, 'adminToken')],
    foreignPrefixes: ['SVC_SCIM_'],
  });
}
