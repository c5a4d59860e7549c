import { ApiError, UnreachableError, dataOf } from '@palisade/client';
import type { ApiAnswer, ApiClient, ServiceName } from '../api/api-client.js';
import { ok, problem, type Finding } from './finding.js';

/** Above, tokens that have just been issued or have just ended are judged wrongly. */
const MAX_CLOCK_SKEW_MS = 30_000;

interface ReadinessReport {
  readonly status?: string;
  readonly checks?: Readonly<Record<string, { readonly status?: string; readonly message?: string }>>;
}

type Ask = () => Promise<Parameters<typeof dataOf>[0]>;

/**
 * Whether a service answers, is ready, has the right time, and takes the token for a request that any admin may make. The
 * last one is whether more can be asked.
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
        findings: [problem(`${service} reachable`, text, 'Check the address: another program may be there.')],
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
        `it differs from the clock here by ${seconds} s`,
        'Synchronise both clocks (NTP): the validity of tokens depends on them.',
      )
    : ok(`${service} clock`, Number.isNaN(skewMs) ? 'it says no time' : describeSkew(skewMs));
}

/** The header `Date` has whole seconds: less than that is no difference that can be seen. */
function describeSkew(skewMs: number): string {
  const seconds = Math.floor(skewMs / 1000);
  return seconds === 0 ? 'it agrees with the clock here' : `it differs from the clock here by ${seconds} s`;
}

/** The checks of a service include the store and its schema. */
function examineReadiness(service: ServiceName, { status, body }: ApiAnswer): Finding {
  if (status === 200) {
    return ok(`${service} ready`, 'its store is reachable and has the current schema');
  }
  const failing = Object.entries(readReport(body).checks ?? {})
    .filter(([, check]) => check.status !== 'up')
    .map(([name, { message, status: state }]) => `${name}: ${message ?? state ?? 'failing'}`);
  return problem(
    `${service} ready`,
    `it takes no requests: ${failing.join('; ') || readReport(body).status || `status ${status}`}`,
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
        'Give the token of an admin: SVC_ADMIN_TOKEN of the service, or a JWT that has not ended.',
      );
    }
    if (error.status === 403) {
      return problem(check, error.message, 'Give a token with scope "read" for all namespaces; this one may do less.');
    }
    return problem(check, error.message, 'The log of the service says more; look for the request id.');
  }
}
