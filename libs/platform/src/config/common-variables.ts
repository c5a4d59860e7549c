import { LOG_LEVELS } from '../telemetry/json-logger.js';
import type { Rule } from './load-variables.js';
import { bearerToken, choice, durationMs, hostPort, text } from './variable-kinds.js';
import { type Variables } from './variable.js';

export const MIN_PRODUCTION_TOKEN_LENGTH = 16;

/** What both services read. */
export const COMMON_VARIABLES = {
  mode: choice('NODE_ENV', {
    description:
      'In `production` secrets must be given and be strong, and nothing is generated or kept in memory instead.',
    choices: ['development', 'test', 'production'],
    default: 'development',
  }),
  adminToken: bearerToken('SVC_ADMIN_TOKEN', {
    description: 'Static admin token for `/api/v1` of both services.',
    computedDefault: `none; required in production (at least ${MIN_PRODUCTION_TOKEN_LENGTH} characters); \`npm start\` generates one`,
  }),
  managementListen: hostPort('SVC_MANAGEMENT_LISTEN', {
    description:
      'Address of a second listener with `/metrics`, `/docs` and `/health/*` only; the first one then has no `/metrics` and no `/docs`. Each process needs one of its own.',
    computedDefault: 'none: all are on the first listener',
  }),
  dataDirectory: text('SVC_DATA_DIR', {
    description: 'Directory of generated tokens and embedded data.',
    default: '.palisade',
  }),
  logLevel: choice('SVC_LOG_LEVEL', {
    description: 'Least severe level that is logged.',
    choices: LOG_LEVELS,
    default: 'info',
  }),
  shutdownDelayMs: durationMs('SVC_SHUTDOWN_DELAY', {
    description: 'How long requests are still accepted after readiness fails, so that load balancers notice.',
    min: '0s',
    max: '5m',
    default: '0s',
  }),
  shutdownGraceMs: durationMs('SVC_SHUTDOWN_GRACE', {
    description: 'How long requests under way may take to finish once no more are accepted.',
    min: '0s',
    max: '5m',
    default: '20s',
  }),
} satisfies Variables;

/** In production the token under `key` must be set and have at least {@link MIN_PRODUCTION_TOKEN_LENGTH} characters. */
export function strongTokenInProduction<K extends string, D extends Variables & Record<K | 'mode', Variables[string]>>(
  definitions: D,
  key: K,
): Rule<D> {
  return {
    needs: ['mode', key],
    check: (values) => {
      const { [key]: token, mode }: Readonly<Record<string, unknown>> = values;
      const length = typeof token === 'string' ? token.length : 0;
      return mode !== 'production' || length >= MIN_PRODUCTION_TOKEN_LENGTH
        ? undefined
        : `${definitions[key].name}: required in production, with at least ${MIN_PRODUCTION_TOKEN_LENGTH} characters`;
    },
  };
}
