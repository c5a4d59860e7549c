/** better-auth with its SCIM plugin on PostgreSQL, as its documentation sets it up: one connection, one static token. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { scim } from '@better-auth/scim';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { Pool } from 'pg';

const { PORT, TOKEN, DATABASE_URL } = process.env;

const auth = betterAuth({
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: randomBytes(32).toString('base64'),
  database: new Pool({ connectionString: DATABASE_URL }),
  telemetry: { enabled: false },
  rateLimit: { enabled: false },
  logger: { disabled: true },
  plugins: [scim({ connections: [{ id: 'bench', credentials: [{ id: 'bench', token: TOKEN }] }] })],
});

const { runMigrations } = await getMigrations(auth.options);
await runMigrations();
createServer(toNodeHandler(auth)).listen(Number(PORT), '127.0.0.1');
