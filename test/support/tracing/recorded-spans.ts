import { context, propagation, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';

/** Records the spans of this process until it is disposed of. */
export class RecordedSpans implements Disposable {
  private readonly exporter = new InMemorySpanExporter();

  constructor() {
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.exporter)] }).register();
  }

  /** Those that have ended, in the order in which they did. */
  get all(): readonly ReadableSpan[] {
    return this.exporter.getFinishedSpans();
  }

  get names(): string[] {
    return this.all.map(({ name }) => name);
  }

  /** @throws {Error} when there is none of that name */
  get(name: string): ReadableSpan {
    const span = this.all.find((each) => each.name === name);
    if (span === undefined) {
      throw new Error(`no span "${name}" among ${this.names.join(', ')}`);
    }
    return span;
  }

  /** Everything in them that a secret could stand in. */
  get text(): string {
    return JSON.stringify(this.all.map(({ name, attributes, events, status }) => [name, attributes, events, status]));
  }

  [Symbol.dispose](): void {
    trace.disable();
    context.disable();
    propagation.disable();
  }
}
