import { DEPLOYMENTS, TIERS, type Deployment, type IsolationLevel, type Tier } from '@palisade/domain';
import { choice, integer } from '../kinds/basic-kinds.js';
import { REVENUE } from '../kinds/conditions.js';
import { NAMESPACE_PATTERN, POOL_NAME, TENANT_ID } from '../kinds/names.js';
import { Section, SectionList, Setting, SettingList } from '../sections/setting.decorator.js';
import { ISOLATION_LEVEL } from './deployment.dto.js';
import { CONNECTIONS } from './isolation.dto.js';

export class NamespaceRouteSection {
  @Setting(NAMESPACE_PATTERN, 'Namespaces that the entry is about; of several that match, the most exact has them.', {
    required: true,
  })
  readonly namespace!: string;

  @Setting(POOL_NAME, 'Pool that they go to.', { required: true })
  readonly pool!: string;

  @Setting(integer(1, 1000), 'Entries with the same pattern share its namespaces in this proportion.', {
    computedDefault: '1',
  })
  readonly weight?: number;
}

export class RuleMatchSection {
  @Setting(choice(TIERS), 'Tier of the tenant.')
  readonly tier?: Tier;

  @Setting(REVENUE, 'Annual revenue of the tenant.')
  readonly annual_revenue?: string;

  @SettingList(TENANT_ID, 'The tenant is one of these.', { maxItems: 1000 })
  readonly contracts?: readonly string[];
}

export class RuleBackendSection {
  @Setting(CONNECTIONS, 'Connections of one namespace to the backend.', { levels: ['namespace'] })
  readonly connections_per_namespace?: number;

  @Setting(CONNECTIONS, 'Connections of all namespaces to the backend; a hard limit of one proxy.', {
    levels: ['namespace'],
  })
  readonly max_total_connections?: number;

  @Setting(CONNECTIONS, 'Connections to the backend; a hard limit of one proxy.', { levels: ['none', 'session'] })
  readonly max_connections?: number;

  @Setting(CONNECTIONS, 'Connections of one session to the backend.', { levels: ['session'] })
  readonly per_session_limit?: number;
}

export class RuleConnectionPoolsSection {
  @Section(() => RuleBackendSection, 'To the relational database.')
  readonly postgres?: RuleBackendSection;

  @Section(() => RuleBackendSection, 'To the key-value store.')
  readonly redis?: RuleBackendSection;

  @Section(() => RuleBackendSection, 'To the message bus.')
  readonly nats?: RuleBackendSection;

  @Section(() => RuleBackendSection, 'To the streaming platform.')
  readonly kafka?: RuleBackendSection;
}

export class RuleActionSection {
  @Setting(choice(DEPLOYMENTS), 'Proxies of its own, or shared ones.', { required: true })
  readonly deployment!: Deployment;

  @Setting(POOL_NAME, 'Pool of the tenant, unless it names one itself.', {
    computedDefault:
      '`single_tenant`: one named like the tenant, else `dedicated`; `multi_tenant`: as `namespace_routing` and `default_pool` say',
  })
  readonly pool?: string;

  @Setting(ISOLATION_LEVEL, 'Isolation level of the tenant.', { computedDefault: 'that of the pool' })
  readonly isolation_level?: IsolationLevel;

  @Section(() => RuleConnectionPoolsSection, 'Connections of the tenant, where they differ from those of the file.')
  readonly connection_pools?: RuleConnectionPoolsSection;
}

export class RuleSection {
  @Section(
    () => RuleMatchSection,
    'What tenants the rule is for: all of its keys hold. Without keys: for all tenants.',
    {
      required: true,
    },
  )
  readonly match!: RuleMatchSection;

  @Section(() => RuleActionSection, 'Where these tenants run.', { required: true })
  readonly action!: RuleActionSection;
}

export class TenantRoutingSection {
  @SectionList(() => RuleSection, 'Rules, asked in order; the first that matches decides.', { maxItems: 500 })
  readonly rules: readonly RuleSection[] = [];
}
