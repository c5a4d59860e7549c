import {
  ADMIN_VARIABLES,
  COMMON_VARIABLES,
  flag,
  hostPort,
  readableFile,
  storeEnvironment,
  type Variables,
} from '@palisade/platform';
import { parseStoreUrl } from '@palisade/storage';

export const STORE = storeEnvironment({ parse: parseStoreUrl });

/** Everything that control-plane reads from its environment; docs/configuration.md is rendered from it. */
export const CONTROL_PLANE_VARIABLES = {
  listen: hostPort('SVC_CONTROL_LISTEN', {
    description: 'Address of the HTTP listener; wins over `control_plane.listen_addr` of the configuration file.',
    default: '0.0.0.0:8980',
  }),
  configFile: readableFile('SVC_CONTROL_CONFIG', {
    description: 'YAML file with pools, routing and all else: [its keys](control-plane/configuration.md).',
    computedDefault: 'built-in development configuration',
  }),
  mayLead: flag('SVC_CONTROL_MAY_LEAD', {
    description:
      'Whether this replica may become the leader, which drives load balancer, DNS and Kubernetes: it needs the files and sockets of the load balancer.',
    default: 'true',
  }),
  storeUrl: STORE.variables.storeUrl,
  ...ADMIN_VARIABLES,
  ...COMMON_VARIABLES,
} satisfies Variables;
