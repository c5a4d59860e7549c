type Value = { readonly stringValue?: string; readonly intValue?: number | string; readonly boolValue?: boolean };

interface KeyValue {
  readonly key: string;
  readonly value: Value;
}

interface RawSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly KeyValue[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Of OTLP. */
export const SERVER_KIND = 2;
export const CLIENT_KIND = 3;
export const ERROR_STATUS = 2;

export interface ReceivedSpan extends Omit<RawSpan, 'attributes'> {
  readonly attributes: Attributes;
  /** What describes the service that made it. */
  readonly resource: Attributes;
}

/** The spans of an export request in JSON. */
export function readSpans(body: Buffer): ReceivedSpan[] {
  const { resourceSpans }: ExportRequest = JSON.parse(body.toString());
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        ...span,
        attributes: readAttributes(span.attributes),
        resource: readAttributes(resource.attributes),
      })),
  );
}

function readAttributes(attributes: readonly KeyValue[]): Attributes {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
  );
}
