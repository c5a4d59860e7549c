import { ISOLATION_LEVELS, TENANCY_MODELS, type IsolationLevel, type TenancyModel } from '@palisade/domain';
import { choice, integer, text } from '../kinds/basic-kinds.js';
import { TENANT_ID } from '../kinds/names.js';
import { CPU, MEMORY } from '../kinds/quantities.js';
import { Section, Setting } from '../sections/setting.decorator.js';

export const MODEL = choice(TENANCY_MODELS);
export const ISOLATION_LEVEL = choice(ISOLATION_LEVELS);
export const REPLICAS = integer(0, 10_000);

export class DeploymentSection {
  @Setting(
    MODEL,
    'How the whole installation is deployed: for one tenant, for many on shared proxies, or both by rules.',
  )
  readonly model: TenancyModel = 'multi_tenant';

  @Setting(TENANT_ID, 'The tenant that everything belongs to.', { appliesTo: '`single_tenant`, required there' })
  readonly tenant_id?: string;

  @Setting(text(255), 'Name of the control plane, for people.', { appliesTo: '`multi_tenant`, `hybrid`' })
  readonly control_plane?: string;
}

export class ResourcesSection {
  @Setting(CPU, 'Cores of one proxy.', { computedDefault: '2' })
  readonly cpu?: string | number;

  @Setting(MEMORY, 'Memory of one proxy.', { computedDefault: '4Gi' })
  readonly memory?: string | number;
}

/** What a cluster or a pool of proxies has. */
export class ProxySection {
  @Setting(REPLICAS, 'Proxies of each pool that does not say it itself.', { computedDefault: '2' })
  readonly replicas?: number;

  @Section(() => ResourcesSection, 'Resources of each proxy whose pool does not say it itself.')
  readonly resources?: ResourcesSection;

  @Setting(ISOLATION_LEVEL, 'Isolation level of each pool that does not say it itself.')
  readonly isolation_level?: IsolationLevel;
}

export class ClusterSection {
  @Setting(text(63), 'Kind of the cluster, for people; `dedicated` for a single tenant.')
  readonly mode?: string;

  @Setting(text(63), 'Kind of load balancer in front of the cluster, for people.')
  readonly load_balancer?: string;
}

export class ProxyPoolSection {
  @Setting(REPLICAS, 'Proxies of the pool.', { computedDefault: '`proxy.replicas`' })
  readonly replicas?: number;

  @Section(() => ResourcesSection, 'Resources of each proxy of the pool; by default those of `proxy.resources`.')
  readonly resources?: ResourcesSection;

  @Setting(ISOLATION_LEVEL, 'What shares connections in the proxies of the pool.', {
    computedDefault: '`proxy.isolation_level`, else the `isolation_level` of the file; one of them is required',
  })
  readonly isolation_level?: IsolationLevel;
}
