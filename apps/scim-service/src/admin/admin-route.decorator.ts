import { adminRoutes } from '@palisade/platform';
import { CATALOGUE, type PROBLEMS } from '../api-docs/problems.js';
import type { AdminTag } from '../api-docs/tags.js';

/** See `AdminRoutes`. */
export const { AdminController, AdminRoute, FullAdminRoute } = adminRoutes<typeof PROBLEMS, AdminTag>(CATALOGUE);
