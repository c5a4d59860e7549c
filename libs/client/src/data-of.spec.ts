import { describe, expect, it } from '@jest/globals';
import { readError } from './data-of.js';

describe(readError.name, () => {
  const rejection = (body: unknown, headers: Record<string, string> = {}): string =>
    readError(new Response(null, { status: 400, statusText: 'Bad Request', headers }), body).message;

  it('reads problem details', () => {
    const body = { code: 'VALIDATION_FAILED', detail: 'the body is wrong', request_id: 'r-1', errors: ['a: missing'] };
    expect(rejection(body)).toBe('VALIDATION_FAILED: the body is wrong; a: missing (request id r-1)');
  });

  it('reads an Error resource', () => {
    const body = { scimType: 'invalidFilter', detail: 'expected a value' };
    expect(rejection(body, { 'X-Request-Id': 'r-2' })).toBe('invalidFilter: expected a value (request id r-2)');
  });

  it('reads an error of a token request', () => {
    expect(rejection({ error: 'invalid_client', error_description: 'unknown client' })).toBe(
      'invalid_client: unknown client',
    );
  });

  it.each([undefined, '<html>', null, [], 7, {}, { code: 7 }])('says the status when the body is %j', (body) => {
    expect(rejection(body)).toBe('HTTP 400: Bad Request');
  });

  it('takes of the errors those that are text', () => {
    const errors: unknown = JSON.parse('["a: missing", {"toString": 1}, null, 7]');
    expect(rejection({ detail: 'wrong', errors })).toBe('HTTP 400: wrong; a: missing');
  });

  it('keeps 4096 characters of each text', () => {
    const long = 'x'.repeat(5000);
    expect(rejection({ code: long, detail: 'x', errors: [long] })).toHaveLength(4096 + ': '.length + 4096);
  });

  it('knows when to come back', () => {
    const response = new Response(null, { status: 429, headers: { 'Retry-After': '7' } });
    expect(readError(response, undefined).retryAfterSeconds).toBe(7);
  });
});
