import './require-node.js';
export { adminJwtOf, adminVariables, wholeAdminJwt } from './config/admin-variables.js';
export { COMMON_VARIABLES, MIN_PRODUCTION_TOKEN_LENGTH, strongTokenInProduction } from './config/common-variables.js';
export {
  ConfigurationError,
  loadVariables,
  type Environment,
  type Loaded,
  type LoadOptions,
  type Rule,
} from './config/load-variables.js';
export { storeEnvironment, type StoreEnvironment } from './config/store-variables.js';
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
} from './config/variable-kinds.js';
export { variable, type Values, type Variable, type VariableOptions, type Variables } from './config/variable.js';

export { PlatformModule } from './platform.module.js';
export type { PlatformOptions, ReadinessCheck } from './platform-options.js';
export { configurePlatform } from './configure-platform.js';
export { PlatformHttpAdapter, type RejectionBody } from './http/platform-http.adapter.js';
export { PRODUCT_VERSION } from './product-version.js';
export { startService, type ServiceStart } from './lifecycle/start-service.js';
export { StoreMetrics } from './telemetry/store-metrics.js';
export { StorePreparation } from './lifecycle/store-preparation.js';

export { FairTurns, TooManyRequestsException } from './http/fair-turns.js';
export { ManagementListener } from './http/management-listener.js';
export { limitSlowRequests } from './http/slow-requests.js';
export { currentRequest, REQUEST_ID_HEADER, RequestContext, type RequestAnnotations } from './http/request-context.js';
export type { FinishedRequest } from './http/observe-requests.js';
export { JsonLogger, LOG_LEVELS, type JsonLoggerOptions, type LogLevel } from './telemetry/json-logger.js';
export { redact } from './telemetry/redact.js';
export { Metrics, type CollectedMetric, type Samples } from './telemetry/metrics.js';
export { failSpan, inSpan, inSubspan, traceHeaders, type SpanOptions } from './tracing/spans.js';
export { loadTracing, type TracingSettings } from './tracing/load-tracing.js';
export { startTracing } from './tracing/start-tracing.js';
export type { Tracing, TracingOptions } from './tracing/tracer-provider.js';
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
} from './http/problem-details.js';
export { PROBLEM_MEDIA_TYPE, ProblemDetailsFilter } from './http/problem-details.filter.js';
export { loadOrCreateToken } from './lifecycle/load-or-create-token.js';

export { adminRoutes, type AdminRouteOptions, type AdminRoutes } from './rest/admin-routes.js';
export { Answer } from './rest/answer.js';
export { Change, ClientGone } from './rest/request.decorators.js';
export { JsonBodyInterceptor, type JsonBodyOptions } from './rest/json-body.interceptor.js';
export {
  AnyList,
  AnyObject,
  Choice,
  Decimal,
  Flag,
  Integer,
  LABEL,
  List,
  Name,
  Nested,
  Shape,
  Text,
  Texts,
  Time,
  type FieldOptions,
  type TextOptions,
} from './rest/fields.js';
export { IgnoresFieldsOf } from './rest/ignored-fields.js';
export { PageLimit, PageParameters, decodeCursor, encodeCursor, pageOf, toPage, type Page } from './rest/pages.js';
export { HeaderParameter, PathParameter } from './rest/parameters.js';
export { InvalidRequestError } from './rest/invalid-request.error.js';
export { setupApiPages } from './rest/api-docs/api-pages.js';
export { describeApi, type ApiDescription } from './rest/api-docs/api-document.js';
export { COMMON_PROBLEMS } from './rest/api-docs/common-problems.js';
export { errorResponses, type ErrorCase, type ErrorResponses } from './rest/api-docs/error-responses.js';
export { operationsOf, responseReference, schemaReference } from './rest/api-docs/documents.js';
export { ProblemCatalogue, type ProblemTable } from './rest/api-docs/problem-catalogue.js';

export { DeniedAttempts, type DeniedAttempt } from './log/denied-attempts.js';
export { LogModule } from './log/log.module.js';
export { LogSeals, type SignedSeal } from './log/log-seals.js';
export { formatRecord, parseRecord } from './log/record-json.js';
export { SIGNING_ALGORITHM, SigningKey } from './signing-key.js';
