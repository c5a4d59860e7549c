export { ConfigurationError } from './config/configuration.error.js';
export { COMMON_VARIABLES, MIN_PRODUCTION_TOKEN_LENGTH, strongTokenInProduction } from './config/common-variables.js';
export { loadVariables, type Environment, type Loaded, type LoadOptions, type Rule } from './config/load-variables.js';
export { renderVariables } from './config/render-variables.js';
export {
  baseUrl,
  bearerToken,
  choice,
  durationMs,
  flag,
  hostPort,
  integer,
  readableFile,
  text,
  url,
  type HostPort,
} from './config/variable-kinds.js';
export { variable, type Values, type Variable, type VariableOptions, type Variables } from './config/variable.js';

export { PlatformModule } from './platform.module.js';
export type { PlatformOptions, ReadinessCheck } from './platform-options.js';
export { configurePlatform } from './configure-platform.js';
export { startService, type ServiceStart } from './start-service.js';

export { currentRequest, REQUEST_ID_HEADER, RequestContext, type RequestAnnotations } from './http/request-context.js';
export type { FinishedRequest } from './http/observe-requests.js';
export { JsonLogger, LOG_LEVELS, type JsonLoggerOptions, type LogLevel } from './logging/json-logger.js';
export { redact, redactText } from './logging/redact.js';
export { Metrics } from './metrics/metrics.js';
export {
  CODE_BY_STATUS,
  COMMON_STATUSES,
  INTERNAL_ERROR_CODE,
  INVALID_JSON_CODE,
  VALIDATION_FAILED_CODE,
  toProblem,
  type ProblemAnswer,
  type ProblemDetails,
  type StatusByCode,
} from './problem/problem-details.js';
export { PROBLEM_MEDIA_TYPE, ProblemDetailsFilter } from './problem/problem-details.filter.js';
export { loadOrCreateToken } from './tokens/load-or-create-token.js';
