export {
  createControlPlaneClient,
  createScimServiceClient,
  type ControlPlaneClient,
  type PalisadeClientOptions,
  type ScimServiceClient,
} from './create-client.js';
export { clientCredentials, type ClientCredentials } from './client-credentials.js';
export { dataOf } from './data-of.js';
export {
  ApiError,
  PathParameterError,
  UnexpectedAnswerError,
  UnreachableError,
  type ErrorAnswer,
} from './client.errors.js';
export type { components as ControlPlaneComponents, paths as ControlPlanePaths } from './generated/control-plane.js';
export type { components as ScimServiceComponents, paths as ScimServicePaths } from './generated/scim-service.js';
