import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanStatusCode } from '@opentelemetry/api';
import { RecordedSpans } from '../../../../test/support/tracing/recorded-spans.js';
import { spanLogFields } from '../telemetry/json-logger.js';
import { inSpan, inSubspan, traceHeaders } from './spans.js';

let spans: RecordedSpans;

beforeEach(() => {
  spans = new RecordedSpans();
});

afterEach(() => spans[Symbol.dispose]());

describe(inSpan.name, () => {
  it('makes what is done within it a part of it', async () => {
    await inSpan('outer', {}, () => inSpan('inner', { attributes: { n: 1 } }, async () => {}));
    const [inner, outer] = [spans.get('inner'), spans.get('outer')];
    expect(inner.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
    expect(inner.attributes).toEqual({ n: 1 });
  });

  it('says that the work failed by the code of the error, and nothing else of it', async () => {
    const error = Object.assign(new Error('ada@example.com is not known'), { code: 'NOT_KNOWN' });
    await expect(inSpan('work', {}, () => Promise.reject(error))).rejects.toBe(error);
    expect(spans.get('work').status).toEqual({ code: SpanStatusCode.ERROR });
    expect(spans.get('work').attributes).toEqual({ 'error.type': 'NOT_KNOWN' });
    expect(spans.text).not.toContain('ada@example.com');
  });

  it('says it by the name of an error that has no code', async () => {
    await inSpan('work', {}, () => Promise.reject(new TypeError('hush'))).catch(() => {});
    expect(spans.get('work').attributes).toEqual({ 'error.type': 'TypeError' });
  });
});

describe(inSubspan.name, () => {
  it('makes a span within another one only', async () => {
    expect(await inSubspan('alone', {}, async () => 1)).toBe(1);
    await inSpan('outer', {}, () => inSubspan('part', {}, async () => {}));
    expect(spans.names).toEqual(['part', 'outer']);
  });
});

describe(spanLogFields.name, () => {
  it('names the span that the caller is in', async () => {
    const fields = await inSpan('work', {}, async () => spanLogFields());
    const { traceId, spanId } = spans.get('work').spanContext();
    expect(fields).toEqual({ trace_id: traceId, span_id: spanId });
    expect(spanLogFields()).toBeUndefined();
  });
});

describe(traceHeaders.name, () => {
  it('lets a server go on with the trace of the caller', async () => {
    const headers = await inSpan('work', {}, async () => traceHeaders());
    const { traceId, spanId } = spans.get('work').spanContext();
    expect(headers).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
    expect(traceHeaders()).toEqual({});
  });
});
