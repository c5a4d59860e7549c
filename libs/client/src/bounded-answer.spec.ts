import { describe, expect, it } from '@jest/globals';
import { boundedAnswer } from './bounded-answer.js';

describe(boundedAnswer.name, () => {
  const bound = (response: Response, maxBytes: number): Response =>
    boundedAnswer(response, 'http://a', (error) => new Error('broken', { cause: error }), maxBytes);

  it('keeps what is not too large as it is', async () => {
    const answer = bound(new Response('1234', { status: 201, headers: { ETag: '"1"' } }), 4);
    expect([answer.status, answer.headers.get('ETag'), await answer.text()]).toEqual([201, '"1"', '1234']);
  });

  it('ends what is too large', async () => {
    await expect(bound(new Response('12345'), 4).text()).rejects.toThrow('http://a answered more than 4 bytes');
  });

  it('takes an answer without a body', async () => {
    expect(await bound(new Response(null, { status: 204 }), 4).text()).toBe('');
  });

  it('says what goes wrong while it is read', async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('cut')) });
    await expect(bound(new Response(body), 4).text()).rejects.toThrow('broken');
  });
});
