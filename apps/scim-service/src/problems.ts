import { COMMON_PROBLEMS, ProblemCatalogue } from '@palisade/platform';
import { BINDING_PROBLEMS } from './bindings/bindings.errors.js';
import { PROVIDER_PROBLEMS } from './providers/providers.errors.js';

/** Every problem of the admin API, as its features bring them. */
export const PROBLEMS = { ...COMMON_PROBLEMS, ...PROVIDER_PROBLEMS, ...BINDING_PROBLEMS };

export const CATALOGUE = new ProblemCatalogue(PROBLEMS);
