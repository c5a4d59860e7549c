import { type LogQuery, type RecordJson, toRecordJson } from '@palisade/domain';
import type { JWK } from 'jose';
import { AnyObject, Choice, Flag, Integer, List, Name, Text, Time } from '../rest/fields.js';
import { PageLimit } from '../rest/pages.js';
import type { LogSlice } from './log.service.js';
import type { SignedSeal } from './log-seals.js';
import type { VerifiedLog } from './log-verification.js';

const MAX_POSITION = Number.MAX_SAFE_INTEGER;
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const JWS = 'eyJhbGciOiJFUzI1NiJ9.eyJwb3NpdGlvbiI6NDJ9.c2lnbmF0dXJl';

export class FollowLogParameters extends PageLimit {
  @Integer('Only positions above this one: `next_after` of the page before.', {
    default: 0,
    minimum: 0,
    maximum: MAX_POSITION,
    inQuery: true,
  })
  readonly after: number = 0;

  @Time('Only what happened at this time or later.', { optional: true })
  readonly since?: string;

  @Time('Only what happened before this time.', { optional: true })
  readonly until?: string;

  @Text('Only what this person or credential did.', { example: 'ann@example.com', maxLength: 512, optional: true })
  readonly user_id?: string;

  @Text('Only this action.', { example: 'tenant.register', maxLength: 100, optional: true })
  readonly action?: string;

  @Name('Only what concerns this provider.', { example: 'entra-eu', optional: true })
  readonly provider?: string;

  @Name('Only what concerns this tenant.', { example: 'acme', optional: true })
  readonly tenant_id?: string;

  @Name('Only what concerns this namespace.', { example: 'acme-orders', optional: true })
  readonly namespace?: string;
}

export class ListLogParameters extends FollowLogParameters {
  @Choice('`asc` reads forward from `after`, `desc` backward from `before` or the end.', ['asc', 'desc'], {
    default: 'asc',
  })
  readonly order: 'asc' | 'desc' = 'asc';

  @Integer('Only positions below this one: `next_before` of the page before.', {
    minimum: 1,
    maximum: MAX_POSITION,
    inQuery: true,
    optional: true,
  })
  readonly before?: number;
}

export class LogRecordResponse implements RecordJson {
  @Integer('Place in the log: from 1, without gaps.', { example: 42 })
  readonly position!: number;

  @Time('When it happened.')
  readonly timestamp!: string;

  @Text('The chain that the record is in: the provider, or `control_plane` for what belongs to none.', {
    example: 'control_plane',
  })
  readonly scope!: string;

  @Text('The provider concerned.', { example: 'entra-eu', optional: true })
  readonly provider?: string;

  @Text('The tenant concerned.', { example: 'acme', optional: true })
  readonly tenant_id?: string;

  @Text('The namespace concerned, if it is one.', { example: 'acme-orders', optional: true })
  readonly namespace?: string;

  @Text('The session in which it happened.', {
    format: 'uuid',
    example: '0199a3c4-7d9f-7000-8000-3c5200000000',
    optional: true,
  })
  readonly session_id?: string;

  @Text('Who did it, as authenticated.', { example: 'ann@example.com' })
  readonly user_id!: string;

  @Text('What was done.', { example: 'tenant.register' })
  readonly action!: string;

  @Text('What it was done to.', { example: 'tenant:acme' })
  readonly resource!: string;

  @Choice('What came of it.', ['success', 'denied', 'failure'], { example: 'success' })
  readonly result!: 'success' | 'denied' | 'failure';

  @Integer('Rows that were read or written.', { example: 3, optional: true })
  readonly rows_accessed?: number;

  @Flag('Whether personal data was among it.', { example: false, optional: true })
  readonly pii_accessed?: boolean;

  @Text('X-Request-Id of the request.', { example: '7d9f3c52', optional: true })
  readonly request_id?: string;

  @AnyObject('More about it, depending on the action; never secrets or values of attributes.', {
    example: { source: 'api', version: 1, patterns: 'acme-*', pattern_count: 1, pool: 'premium' },
    optional: true,
  })
  readonly detail?: RecordJson['detail'];

  @Text('`hash` of the record before in the same scope; 64 zeros for the first.', { example: '0'.repeat(64) })
  readonly previous_hash!: string;

  @Text('SHA-256 over `previous_hash` and the other fields as JSON in the canonical form of RFC 8785.', {
    example: HASH,
  })
  readonly hash!: string;

  @Text('SHA-256 over the `seal` of the record before, whatever its scope, and this `hash`.', { example: HASH })
  readonly seal!: string;
}

export class LogPage {
  @List('In the order that was asked for.', LogRecordResponse)
  readonly items!: readonly LogRecordResponse[];

  @Integer('Reading forward: `after` of the next request, whether or not there is more now.', {
    example: 42,
    optional: true,
  })
  readonly next_after?: number;

  @Integer('Reading backward: `before` of the next request; absent at the beginning of the log.', {
    example: 17,
    optional: true,
  })
  readonly next_before?: number;
}

export class LogSealResponse {
  @Integer('The last position.', { example: 42 })
  readonly position!: number;

  @Text('`seal` of the record there: it covers every record up to it, of all scopes.', { example: HASH })
  readonly seal!: string;

  @Time('When it was signed.')
  readonly time!: string;

  @Text('The three of them as a compact JWS (RFC 7515). Keep it: `GET /api/v1/log/verify?kept=…` compares.', {
    example: JWS,
  })
  readonly signature!: string;

  @AnyObject('The public key as a JWK (RFC 7517).', {
    example: { kty: 'EC', crv: 'P-256', x: 'MKBC', y: '4Etl', alg: 'ES256', use: 'sig', kid: 'log-1' },
  })
  readonly key!: JWK;
}

export class VerifyLogParameters {
  @Text('`signature` of an older seal: the log must still have what it had then.', {
    example: JWS,
    maxLength: 2000,
    optional: true,
  })
  readonly kept?: string;
}

export class LogVerificationResponse {
  @Flag('Whether every record is as it was written and none is missing.', { example: true })
  readonly valid!: boolean;

  @Integer('Intact records: all, or those before the break.', { example: 42 })
  readonly records!: number;

  @Integer('Position of the first record there should be.', { example: 1 })
  readonly first!: number;

  @Integer('Position of the last; `first` - 1 when there are none.', { example: 42 })
  readonly last!: number;

  @Integer('The first position that is not as it was.', { example: 17, optional: true })
  readonly broken_at?: number;

  @Choice(
    '`position`: a record is missing or was inserted; `previous_hash`: it does not follow on the one before in its ' +
      'scope; `hash`: it was changed; `seal`: the log is another than it was, from here or earlier; `cut`: it ends before ' +
      'the seal that was kept; `signature`: that seal was not signed here.',
    ['position', 'previous_hash', 'hash', 'seal', 'cut', 'signature'],
    { example: 'hash', optional: true },
  )
  readonly reason?: string;
}

export function toLogQuery(query: FollowLogParameters & Partial<ListLogParameters>): LogQuery {
  const { user_id: userId, tenant_id: tenantId, since, until, ...rest } = query;
  return {
    ...rest,
    userId,
    tenantId,
    ...(since !== undefined && { since: new Date(since) }),
    ...(until !== undefined && { until: new Date(until) }),
  };
}

export function toLogPage({ records, through }: LogSlice, order: 'asc' | 'desc' = 'asc'): LogPage {
  const items = records.map(toRecordJson);
  const first = items.at(-1)?.position ?? 1;
  const next = order === 'asc' ? { next_after: through } : first > 1 && { next_before: first };
  return { items, ...next };
}

export function toSealResponse({ time, ...seal }: SignedSeal, key: JWK): LogSealResponse {
  return { ...seal, time: time.toISOString(), key };
}

export function toVerificationResponse(log: VerifiedLog): LogVerificationResponse {
  const { isValid, records, first, last, brokenAt, reason } = log;
  return { valid: isValid, records, first, last, broken_at: brokenAt, reason };
}
