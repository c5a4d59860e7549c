import { ApiError, UnreachableError, dataOf } from '@palisade/client';
import type { ApiAnswer, ApiClient, ServiceName } from '../command/api-client.js';
import { ok, problem, type Finding } from './finding.js';

/** With a larger difference, tokens that were just issued or have just expired may be judged wrongly. */
const MAX_CLOCK_SKEW_MS = 30_000;
const CLAIMS_CHECK = 'token scopes';

interface ReadinessReport {
  readonly status?: string;
  readonly checks?: Readonly<Record<string, { readonly status?: string; readonly message?: string }>>;
}

type Ask = () => Promise<Parameters<typeof dataOf>[0]>;

/**
 * Checks that a service answers, is ready, has the right time, and accepts the token for a request that any admin may make.
 * `isUsable` tells whether further requests make sense.
 */
export async function examineService(
  service: ServiceName,
  client: ApiClient,
  ask: Ask,
  now: () => number,
): Promise<{ readonly findings: readonly Finding[]; readonly isUsable: boolean }> {
  try {
    const live = await client.probe('/health/live');
    if (live.status !== 200) {
      const text = `${client.origin} answers ${live.status} to /health/live`;
      return {
        findings: [problem(`${service} reachable`, text, 'Check the address: it may belong to another program.')],
        isUsable: false,
      };
    }
    const findings = [ok(`${service} reachable`, client.origin), examineClock(service, live, now())];
    findings.push(examineReadiness(service, await client.probe('/health/ready')));
    const token = await examineToken(service, ask);
    return { findings: [...findings, token], isUsable: token.level === 'ok' };
  } catch (error) {
    if (error instanceof UnreachableError) {
      const advice = 'Start it (npm start), or correct the address with PALISADE_SCIM_URL or PALISADE_CONTROL_URL.';
      return { findings: [problem(`${service} reachable`, error.message, advice)], isUsable: false };
    }
    throw error;
  }
}

function examineClock(service: ServiceName, { headers }: ApiAnswer, now: number): Finding {
  const skewMs = Math.abs(now - Date.parse(headers.get('Date') ?? ''));
  const seconds = Math.round(skewMs / 1000);
  return skewMs > MAX_CLOCK_SKEW_MS
    ? problem(
        `${service} clock`,
        `it differs from the local clock by ${seconds} s`,
        'Synchronise both clocks (NTP): the validity of tokens depends on them.',
      )
    : ok(`${service} clock`, Number.isNaN(skewMs) ? 'its answers carry no time' : describeSkew(skewMs));
}

/** The `Date` header has whole seconds, so a smaller difference cannot be seen. */
function describeSkew(skewMs: number): string {
  const seconds = Math.floor(skewMs / 1000);
  return seconds === 0 ? 'it agrees with the local clock' : `it differs from the local clock by ${seconds} s`;
}

/** The readiness checks of a service include the store and its schema. */
function examineReadiness(service: ServiceName, { status, body }: ApiAnswer): Finding {
  if (status === 200) {
    return ok(`${service} ready`, 'its store is reachable and has the current schema');
  }
  const failing = Object.entries(readReport(body).checks ?? {})
    .filter(([, check]) => check.status !== 'up')
    .map(([name, { message, status: state }]) => `${name}: ${message ?? state ?? 'failing'}`);
  return problem(
    `${service} ready`,
    `it does not accept requests: ${failing.join('; ') || readReport(body).status || `status ${status}`}`,
    'Check that the database in SVC_STORE_URL runs, and run "palisade migrate"; the log of the service says more.',
  );
}

function readReport(body: unknown): ReadinessReport {
  return typeof body === 'object' && body !== null ? body : {};
}

async function examineToken(service: ServiceName, ask: Ask): Promise<Finding> {
  const check = `${service} token`;
  try {
    dataOf(await ask());
    return ok(check, 'it is accepted and may read');
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    if (error.status === 401) {
      return problem(
        check,
        error.message,
        "Use an admin's token: the service's SVC_ADMIN_TOKEN, or a JWT that has not expired.",
      );
    }
    if (error.status === 403) {
      return problem(
        check,
        error.message,
        'Use a token with the scope "read" for all namespaces; this one allows less.',
      );
    }
    return problem(check, error.message, 'The log of the service says more; look for the request id.');
  }
}

/**
 * Checks what a JWT claims; only the services verify it. Any other token is opaque: its scope is the one that the service is configured with.
 */
export function examineTokenClaims(token: string, now: number): readonly Finding[] {
  const claims = readClaims(token);
  if (claims === undefined) {
    return [ok(CLAIMS_CHECK, 'it is not a JWT: its scope is the one that the service is configured with')];
  }
  const expiresAt = Number(claims['exp']) * 1000;
  if (expiresAt <= now) {
    return [
      problem(
        CLAIMS_CHECK,
        `the token expired at ${new Date(expiresAt).toISOString()}`,
        'Get a new one from your issuer.',
      ),
    ];
  }
  const scopes = new Set([claims['scope'], claims['scp']].flat().flatMap((value) => String(value ?? '').split(' ')));
  const ours = ['read', 'operate', 'admin'].filter((scope) => scopes.has(scope));
  return [
    ours.length === 0
      ? problem(
          CLAIMS_CHECK,
          'the JWT has none of the scopes read, operate and admin',
          'Let your issuer grant one of them.',
        )
      : ok(CLAIMS_CHECK, ours.join(', ')),
  ];
}

function readClaims(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) {
    return undefined;
  }
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}
