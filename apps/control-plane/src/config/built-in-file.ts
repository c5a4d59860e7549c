/** What is used without a configuration file: enough to register tenants and look around. */
export const BUILT_IN_FILE = {
  deployment: { model: 'multi_tenant' },
  proxy_pools: {
    standard: { replicas: 2, isolation_level: 'namespace' },
    premium: { replicas: 2, isolation_level: 'session' },
  },
};
