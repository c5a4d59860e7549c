import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StreamableFile } from '@nestjs/common';
import { isObject } from '@palisade/domain';
import type { Page } from './pages.js';

/** Writing this many items takes a millisecond, after which other requests get their turn. */
const ITEMS_AT_A_TIME = 100;

/** A page that would hold up other requests if it were written at once. */
export function isLargePage(body: unknown): body is Page<unknown> {
  return isObject(body) && Array.isArray(body['items']) && body['items'].length > ITEMS_AT_A_TIME;
}

/** The JSON of the page, written piece by piece; the client then takes one piece after the other. */
export async function inPieces({ items, ...others }: Page<unknown>): Promise<StreamableFile> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < items.length; at += ITEMS_AT_A_TIME) {
    const text = JSON.stringify(items.slice(at, at + ITEMS_AT_A_TIME)).slice(1, -1);
    pieces.push(Buffer.from(`${at === 0 ? '{"items":[' : ','}${text}`));
    await nextTurn();
  }
  const end = JSON.stringify(others).slice(1);
  pieces.push(Buffer.from(end === '}' ? ']}' : `],${end}`));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return new StreamableFile(Readable.from(pieces), { type: 'application/json; charset=utf-8', length });
}
