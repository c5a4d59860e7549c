import { adminRoutes } from '@palisade/platform';
import { CATALOGUE, type PROBLEMS } from './problems.js';
import type { Tag } from './tags.js';

/** See `AdminRoutes`. */
export const { AdminController, AdminRoute, FullAdminRoute, ProxyRoute } = adminRoutes<typeof PROBLEMS, Tag>(CATALOGUE);
