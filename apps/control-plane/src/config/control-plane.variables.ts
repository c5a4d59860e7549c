import { unlessThrown } from '@palisade/domain';
import { parseProxyTokenDigests, type ProxyTokenDigest } from '@palisade/guards';
import {
  COMMON_VARIABLES,
  adminVariables,
  flag,
  hostPort,
  readableFile,
  storeEnvironment,
  text,
  variable,
  type Variables,
} from '@palisade/platform';
import { parseStoreUrl } from '@palisade/storage';

export const STORE = storeEnvironment({ parse: parseStoreUrl });

export const ADMIN_JWT_AUDIENCE = 'SVC_CONTROL_ADMIN_JWT_AUDIENCE';

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
  proxyTokenDigests: variable<
    readonly ProxyTokenDigest[],
    { description: string; default: string; computedDefault: string; quotable: false }
  >(
    'SVC_CONTROL_PROXY_TOKEN_DIGESTS',
    {
      description:
        'Tokens of proxies: `name:sha256:pool` or `name:sha256:pool/id-prefix` entries, comma-separated. Each lets proxies of that pool, whose ids begin with the prefix, register, send heartbeats, and read and remove themselves, and nothing else.',
      default: ',',
      computedDefault: 'none',
      quotable: false,
    },
    'comma-separated entries `name:<64 hexadecimal digits>:<pool>[/<id prefix>]`',
    (value) => unlessThrown(SyntaxError, () => parseProxyTokenDigests(value)),
  ),
  proxyJwtPoolClaim: text('SVC_CONTROL_PROXY_JWT_POOL_CLAIM', {
    description:
      'Claim with the pool of a proxy, in JWTs of `SVC_ADMIN_JWT_ISSUER` with the scope `proxy`. They can do what the tokens of proxies can, and nothing else.',
    default: 'pool',
  }),
  proxyJwtIdPrefixClaim: text('SVC_CONTROL_PROXY_JWT_ID_PREFIX_CLAIM', {
    description:
      'Claim with what the ids of that proxy begin with; an empty text for any id of the pool. A JWT without it is invalid.',
    default: 'id_prefix',
  }),
  ...adminVariables(ADMIN_JWT_AUDIENCE),
  ...COMMON_VARIABLES,
} satisfies Variables;
