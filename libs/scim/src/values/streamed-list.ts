import { setImmediate } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '@palisade/domain';

/** Stands in a text for a list that follows later. No resource can hold it: U+0000 is rejected in every attribute. */
const PLACEHOLDER = '\0';
const PLACEHOLDER_TEXT = JSON.stringify(PLACEHOLDER);

/** The lists of the text that is being made; `JSON.stringify` makes it in one go. */
let found: StreamedList[] = [];

/** A list in the body of an answer that is too long to be held at once: its elements are read while the body is sent. */
export class StreamedList {
  /** @param pages called once, when the list is sent */
  constructor(readonly pages: () => AsyncIterable<readonly JsonValue[]>) {}

  /** Lets the list stand in a body beside values that are there already. */
  asValue(): JsonValue {
    return this as unknown as JsonValue;
  }

  toJSON(): string {
    found.push(this);
    return PLACEHOLDER;
  }
}

/** A body as JSON: the text of it, or the pieces of it when it holds a {@link StreamedList}. */
export function toJsonText(body: JsonObject): string | AsyncIterable<string> {
  found = [];
  const text = JSON.stringify(body);
  const lists = found;
  found = [];
  return lists.length === 0 ? text : piecesOf(text.split(PLACEHOLDER_TEXT), lists);
}

/** Others get their turn of the event loop after each page. */
async function* piecesOf(texts: readonly string[], lists: readonly StreamedList[]): AsyncGenerator<string> {
  for (const [index, text] of texts.entries()) {
    yield text;
    const list = lists[index];
    if (list !== undefined) {
      yield '[';
      let separator = '';
      for await (const page of list.pages()) {
        if (page.length > 0) {
          yield separator + JSON.stringify(page).slice(1, -1);
          separator = ',';
        }
        await setImmediate();
      }
      yield ']';
    }
  }
}
