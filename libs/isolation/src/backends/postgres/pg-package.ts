import type * as Package from 'pg';
import { requirePackage } from '../require-package.js';

export const { Client, DatabaseError, Query, escapeIdentifier, escapeLiteral } = requirePackage<typeof Package>(
  'PostgreSQL',
  'pg',
);

export type Client = Package.Client;
