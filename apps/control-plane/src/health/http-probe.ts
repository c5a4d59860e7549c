import { request, type RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Proxy } from '@palisade/domain';
import { findForbiddenAddress, guardedLookup } from '@palisade/guards';
import { PRODUCT_VERSION } from '@palisade/platform';

const USER_AGENT = `palisade-health-check/${PRODUCT_VERSION}`;

export interface ProbeResult {
  readonly isGood: boolean;
  /** For the operator: the status, or the failure. */
  readonly detail: string;
}

export interface ProbeSettings {
  readonly path: string;
  readonly timeoutMs: number;
}

/**
 * Checks a proxy over a new connection: `GET` of the path; a status of 200 to 299 is good. Redirects are not followed, and the
 * body is ignored. Never rejects.
 *
 * Only a proxy that the operator has listed by its address may have a link-local or metadata address: registrations, DNS and
 * pods must not choose what the control plane connects to there.
 *
 * @param resolve the system's resolver by default
 */
export function probe(
  { host, port, source }: Pick<Proxy, 'host' | 'port' | 'source'>,
  { path, timeoutMs }: ProbeSettings,
  signal: AbortSignal,
  resolve?: LookupFunction,
): Promise<ProbeResult> {
  const forbidden = source === 'static' ? undefined : findForbiddenAddress(host);
  return forbidden === undefined
    ? connect({ host, port, path, lookup: guardedLookup(resolve) }, timeoutMs, signal)
    : Promise.resolve({ isGood: false, detail: forbidden });
}

function connect(target: RequestOptions, timeoutMs: number, signal: AbortSignal): Promise<ProbeResult> {
  const { promise, resolve } = Promise.withResolvers<ProbeResult>();
  const deadline = AbortSignal.timeout(timeoutMs);
  const asked = request({
    ...target,
    agent: false,
    headers: { 'User-Agent': USER_AGENT, Connection: 'close' },
    signal: AbortSignal.any([deadline, signal]),
  });
  asked.on('response', (response) => {
    const status = response.statusCode ?? 0;
    response.resume().on('error', ignoreCutBody);
    response.once('close', () => asked.destroy());
    resolve({ isGood: status >= 200 && status < 300, detail: `answered ${status}` });
    // Do not wait for the end of the body.
    asked.destroy();
  });
  asked.on('error', (error: NodeJS.ErrnoException) => {
    resolve({ isGood: false, detail: deadline.aborted ? `no answer within ${timeoutMs} ms` : describe(error) });
  });
  asked.end();
  return promise;
}

function describe({ code, message }: NodeJS.ErrnoException): string {
  return code ?? message.slice(0, 200);
}

/** The answer is known already. */
function ignoreCutBody(): void {}
