import { choice, duration, FLAG, integer } from '../kinds/basic-kinds.js';
import { HOST_PORT } from '../kinds/addresses.js';
import { LABEL_SELECTOR } from '../kinds/conditions.js';
import { FILE_PATH, SECRET_FILE } from '../kinds/files.js';
import { DNS_NAME, KUBERNETES_LABEL, NAMESPACE, POOL_NAME, PORT_NAME } from '../kinds/names.js';
import { NamedSettings, SectionList, Setting } from '../sections/setting.decorator.js';

export const DISCOVERY_TYPE = choice(['static', 'dns_srv', 'kubernetes'], { orchestrator: 'kubernetes' });
export const KEY_ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;

export class StaticProxySection {
  @Setting(POOL_NAME, 'Pool of the proxy.', { required: true })
  readonly pool!: string;

  @Setting(HOST_PORT, 'Address of the proxy.', { required: true })
  readonly endpoint!: string;

  @Setting(integer(1, 256), 'Share of requests, relative to the others of the pool.')
  readonly weight: number = 1;
}

export class ServiceDiscoverySection {
  @Setting(
    DISCOVERY_TYPE,
    'How proxies are found that do not register; `orchestrator` is another word for `kubernetes`.',
    {
      required: true,
    },
  )
  readonly type!: string;

  @Setting(LABEL_SELECTOR, 'Pods that are proxies.', { appliesTo: '`kubernetes`, required there' })
  readonly label_selector?: string;

  @Setting(KUBERNETES_LABEL, 'Label of a pod whose value is the pool.', {
    appliesTo: '`kubernetes`',
    computedDefault: '`prism.io/pool`',
  })
  readonly pool_label?: string;

  @Setting(PORT_NAME, 'Name of the container port that requests go to.', {
    appliesTo: '`kubernetes`',
    computedDefault: '`proxy`',
  })
  readonly port_name?: string;

  @SectionList(() => StaticProxySection, 'The proxies.', { maxItems: 10_000, appliesTo: '`static`, required there' })
  readonly proxies?: readonly StaticProxySection[];

  @NamedSettings(DNS_NAME, 'Name of the SRV records of each pool, by pool.', {
    names: POOL_NAME,
    maxItems: 1000,
    appliesTo: '`dns_srv`, required there',
  })
  readonly services?: ReadonlyMap<string, string>;

  @Setting(duration('1s', '1d'), 'Time between two lookups.', { appliesTo: '`dns_srv`', computedDefault: '`10s`' })
  readonly interval?: string;
}

export class DnsSection {
  @Setting(HOST_PORT, 'Server that takes updates (RFC 2136), as `host:port`.', { required: true })
  readonly server!: string;

  @Setting(DNS_NAME, 'Zone; `<pool>.<zone>` gets the addresses of the healthy proxies of the pool.', { required: true })
  readonly zone!: string;

  @Setting(DNS_NAME, 'Name of the TSIG key (RFC 8945).', { required: true })
  readonly key_name!: string;

  @Setting(choice(KEY_ALGORITHMS), 'Algorithm of the key.')
  readonly key_algorithm: (typeof KEY_ALGORITHMS)[number] = 'hmac-sha256';

  @Setting(SECRET_FILE, 'File whose content is the key in base64.', { required: true })
  readonly key_secret_file!: string;

  @Setting(duration('1s', '1d'), 'How long resolvers may keep an answer; whole seconds.')
  readonly ttl: string = '20s';

  @Setting(duration('100ms', '1m'), 'Time that the server has to answer.')
  readonly timeout: string = '5s';
}

export class KubernetesSection {
  @Setting(NAMESPACE, 'Namespace of Kubernetes in which proxies and tenants are looked for.')
  readonly namespace: string = 'default';

  @Setting(FILE_PATH, 'File with the access to the cluster.', {
    computedDefault: "the pod's service account, else the file that `KUBECONFIG` names",
  })
  readonly kubeconfig_file?: string;

  @Setting(FLAG, 'Whether PrismTenant resources are watched.')
  readonly watch_tenants: boolean = true;

  @Setting(FLAG, 'Whether the leader is elected by a Lease of the cluster, instead of one in the store.')
  readonly leader_election: boolean = false;
}
