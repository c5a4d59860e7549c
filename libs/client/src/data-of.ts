import { readRefusal } from './read-refusal.js';

interface Answer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

type DataOf<Given> = Given extends { readonly data: infer Data; readonly error?: never } ? Data : never;

/** The data of an answer; undefined when it has none. @throws {ApiError} when the service refused. */
export function dataOf<Given extends Answer>(answer: Given): DataOf<Given> {
  if (!answer.response.ok) {
    throw readRefusal(answer.response, answer.error);
  }
  return answer.data as DataOf<Given>;
}
