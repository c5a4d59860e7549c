import { ADMIN_PROBLEMS, catalogueOf, statusesOf } from './admin/admin.problems.js';
import { BINDING_PROBLEMS } from './bindings/bindings.errors.js';
import { PROVIDER_PROBLEMS } from './providers/providers.errors.js';

/** Every problem of the admin API, as its features bring them. */
export const PROBLEMS = { ...ADMIN_PROBLEMS, ...PROVIDER_PROBLEMS, ...BINDING_PROBLEMS };

export const CATALOGUE = catalogueOf(PROBLEMS);
export const STATUSES = statusesOf(PROBLEMS);
