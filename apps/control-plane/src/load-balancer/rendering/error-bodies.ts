const REFUSALS = {
  400: ['Bad Request', 'INVALID_NAMESPACE', 'the request names no namespace, or what it names is none'],
  404: ['Not Found', 'NAMESPACE_NOT_FOUND', 'the namespace is not served here'],
  503: ['Service Unavailable', 'POOL_UNAVAILABLE', 'no proxy of the pool takes requests at the moment'],
} as const;

export type RefusalStatus = keyof typeof REFUSALS;

/** What the load balancer itself answers: problem details (RFC 9457), without quotes, backslashes and percent signs that need care. */
export function refusal(status: RefusalStatus): string {
  const [title, code, detail] = REFUSALS[status];
  return JSON.stringify({ type: 'about:blank', title, status, code, detail });
}
