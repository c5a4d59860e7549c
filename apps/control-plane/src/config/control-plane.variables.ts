import { COMMON_VARIABLES, hostPort, readableFile, type Variables } from '@palisade/platform';

/** Everything that control-plane reads from its environment; docs/configuration.md is rendered from it. */
export const CONTROL_PLANE_VARIABLES = {
  listen: hostPort('SVC_CONTROL_LISTEN', {
    description: 'Address of the HTTP listener.',
    default: '0.0.0.0:8980',
  }),
  configFile: readableFile('SVC_CONTROL_CONFIG', {
    description: 'YAML file with tenants, pools and routing.',
    computedDefault: 'built-in development configuration',
  }),
  ...COMMON_VARIABLES,
} satisfies Variables;
