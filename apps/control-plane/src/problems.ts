import { COMMON_PROBLEMS, ProblemCatalogue } from '@palisade/platform';
import { LOAD_BALANCER_PROBLEMS } from './load-balancer/load-balancer.errors.js';
import { POOL_PROBLEMS } from './pools/pools.errors.js';
import { POLICY_PROBLEMS } from './policy/policy.errors.js';
import { TENANT_PROBLEMS } from './tenants/tenants.errors.js';

/** Every problem of the API, as its features bring them. */
export const PROBLEMS = {
  ...COMMON_PROBLEMS,
  ...TENANT_PROBLEMS,
  ...POOL_PROBLEMS,
  ...POLICY_PROBLEMS,
  ...LOAD_BALANCER_PROBLEMS,
};

export const CATALOGUE = new ProblemCatalogue(PROBLEMS);
